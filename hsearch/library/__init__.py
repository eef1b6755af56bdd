"""The known edge templates, matched on a position."""

from hsearch.library.family import Family, family_of
from hsearch.library.known import KnownTemplate, all_templates, shipped_templates
from hsearch.library.template import Template, template_of

__all__ = [
    "Family",
    "KnownTemplate",
    "Template",
    "all_templates",
    "family_of",
    "shipped_templates",
    "template_of",
]
