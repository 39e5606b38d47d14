"""The benchmarks that asv runs on any commit; asv.conf.json says how it installs one."""
