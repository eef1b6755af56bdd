"""Solving by jobs: an upper tree that one process keeps, and searches below it anywhere.

Job-level proof-number search (Wu, Lin, Lin, Yen, Lin and Tsai: Job-level
proof-number search, 2013), whose jobs are the solver of one process.
"""

from player.jobs.coordinator import Coordinator, JobProgress
from player.jobs.folder import JobFolder, JobFolderError
from player.jobs.job import Job, JobError, JobResult, run_job
from player.jobs.tree import JobTree

__all__ = [
    "Coordinator",
    "Job",
    "JobError",
    "JobFolder",
    "JobFolderError",
    "JobProgress",
    "JobResult",
    "JobTree",
    "run_job",
]
