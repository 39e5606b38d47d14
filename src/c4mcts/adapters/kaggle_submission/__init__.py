"""A submission to Kaggle ConnectX: `export` makes the file, which holds this package and whose text is `main`.

`main` needs only the standard library: it plays simple moves until the package is loaded, or where it can't be.
"""
