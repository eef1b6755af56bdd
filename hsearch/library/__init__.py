"""The known edge templates, matched on a position."""

from hsearch.library.known import Known, shipped_templates
from hsearch.library.template import Template, template_of

__all__ = ["Known", "Template", "shipped_templates", "template_of"]
