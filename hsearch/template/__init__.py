"""Is a shape a template, is it minimal; finding new ones."""

from hsearch.template.examination import Examination, TemplateVerdict

__all__ = ["Examination", "TemplateVerdict"]
