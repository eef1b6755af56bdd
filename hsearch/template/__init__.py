"""Is a shape a template, is it minimal; finding new ones."""

from hsearch.template.examination import Examination, Verdict

__all__ = ["Examination", "Verdict"]
