"""Many jobs in threads or processes: progress, checkpoints, and a clean end on Ctrl-C."""
