"""An executor for tests."""

from concurrent.futures import ThreadPoolExecutor


class Counting(ThreadPoolExecutor):
    """Threads that count their jobs."""

    def __init__(self):
        super().__init__(2)
        self.jobs = 0

    def submit(self, job, *rest):
        self.jobs += 1
        return super().submit(job, *rest)


def jobs_done(call):
    """The result of a call, and how many jobs it took."""
    with Counting() as executor:
        result = call(executor=executor)
    return result, executor.jobs
