"""An executor that counts its jobs."""

from concurrent.futures import ThreadPoolExecutor


class Counting(ThreadPoolExecutor):
    """Two threads, and the number of jobs submitted to them."""

    def __init__(self):
        super().__init__(2)
        self.jobs = 0

    def submit(self, job, *rest):
        self.jobs += 1
        return super().submit(job, *rest)


def jobs_done(call):
    """The result of a call, and the number of jobs that it submitted to its executor."""
    with Counting() as executor:
        result = call(executor=executor)
    return result, executor.jobs
