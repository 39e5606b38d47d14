"""A submission to Kaggle ConnectX: `export` makes the file, which holds this package and whose text is `main`."""
