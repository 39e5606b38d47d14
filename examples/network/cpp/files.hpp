#pragma once
// Vectors in files, each with its size before it.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

template <typename T>
inline bool read(FILE *file, std::vector<T> &items) {
    uint64_t size;
    if (fread(&size, sizeof size, 1, file) != 1) return false;
    items.resize(size);
    return fread(items.data(), sizeof(T), size, file) == size;
}

template <typename T>
inline void write(FILE *file, const std::vector<T> &items) {
    uint64_t size = items.size();
    fwrite(&size, sizeof size, 1, file);
    fwrite(items.data(), sizeof(T), size, file);
}

inline void fail(const std::string &path) {
    perror(path.c_str());
    exit(1);
}

// A file that is written under another name first.
template <typename Write>
inline void write_file(const std::string &path, Write write_all) {
    std::string part = path + ".part";
    FILE *file = fopen(part.c_str(), "wb");
    if (!file) fail(part);
    write_all(file);
    if (fclose(file) || rename(part.c_str(), path.c_str())) fail(path);
}
