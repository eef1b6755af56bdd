"""Players by name, the referee, tournaments, and experiments."""
