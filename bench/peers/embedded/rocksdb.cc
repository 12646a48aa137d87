// RocksDB with sync=true: concurrent writers share one write of its log. LZ4, bloom filters, 2 GB of block cache.
#include "engine.h"
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

static void check(const rocksdb::Status &status) {
    if (!status.ok()) fail(status.ToString().c_str());
}

struct Rocks : Engine {
    rocksdb::DB *db = nullptr;

    explicit Rocks(const char *directory) {
        rocksdb::Options options;
        options.create_if_missing = true;
        options.IncreaseParallelism(2);
        options.write_buffer_size = 128 << 20;
        options.max_write_buffer_number = 4;
        options.compression = rocksdb::kLZ4Compression;
        rocksdb::BlockBasedTableOptions table;
        table.block_cache = rocksdb::NewLRUCache(size_t{2} << 30);
        table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
        options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
        check(rocksdb::DestroyDB(directory, options));
        check(rocksdb::DB::Open(options, directory, &db));
    }

    ~Rocks() override { delete db; }

    bool concurrent_writes() const override { return true; }

    void put(const std::vector<Pair> &pairs) override {
        rocksdb::WriteBatch batch;
        for (const auto &[key, value] : pairs) check(batch.Put(key, value));
        rocksdb::WriteOptions options;
        options.sync = true;
        check(db->Write(options, &batch));
    }

    void load(const std::vector<std::string> &documents) override {
        rocksdb::WriteOptions options;
        options.disableWAL = true;
        for (size_t i = 0; i < documents.size(); i++) check(db->Put(options, order_id(i + 1), documents[i]));
        check(db->Flush(rocksdb::FlushOptions()));
        check(db->CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr));
    }

    size_t get(const std::string &key) override {
        thread_local rocksdb::PinnableSlice value;
        value.Reset();
        check(db->Get(rocksdb::ReadOptions(), db->DefaultColumnFamily(), key, &value));
        return value.size();
    }
};

int main(int argc, char **argv) {
    return run("rocksdb", argc, argv, [](const char *directory) { return std::make_unique<Rocks>(directory); });
}
