"""The benchmarks that asv runs on any commit; asv.conf.json says how a commit is installed."""
