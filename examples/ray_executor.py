"""Run c4mcts on a Ray cluster: an executor over ray.remote. pip install ray"""

import concurrent.futures
import threading

import ray


class RayExecutor(concurrent.futures.Executor):
    """Runs each call as a Ray task. ray.init() connects to the cluster.

    options: for the tasks, such as num_cpus=1. A task whose worker is lost runs
    again, `max_retries` times. A call that is running can't be cancelled.
    """

    def __init__(self, **options):
        if not ray.is_initialized():
            ray.init()
        run = ray.remote(lambda call, args, kwargs: call(*args, **kwargs))
        self._run = run.options(**options)
        self._futures = {}  # by the reference of the task
        self._lock = threading.Lock()

    def submit(self, fn, /, *args, **kwargs):
        future = concurrent.futures.Future()
        task = self._run.remote(fn, args, kwargs)
        with self._lock:
            self._futures[future] = task
        future.add_done_callback(self._forget)
        task.future().add_done_callback(lambda done: self._finish(future, done))
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        with self._lock:
            futures = list(self._futures)
        if cancel_futures:
            for future in futures:
                future.cancel()
        if wait:
            concurrent.futures.wait(futures)

    def _forget(self, future):
        with self._lock:
            task = self._futures.pop(future, None)
        if future.cancelled() and task is not None:
            ray.cancel(task)

    def _finish(self, future, done):
        if future.set_running_or_notify_cancel():
            if error := done.exception():
                future.set_exception(error)
            else:
                future.set_result(done.result())
