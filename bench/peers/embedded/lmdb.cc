// LMDB with its default flags: every commit syncs data, then the meta page.
#include "engine.h"
#include <lmdb.h>
#include <sys/stat.h>

static void check(int result) {
    if (result) fail(mdb_strerror(result));
}

static MDB_val view(const std::string &text) { return {text.size(), const_cast<char *>(text.data())}; }

struct Lmdb : Engine {
    // Address space, not memory: the file grows up to this.
    static constexpr size_t map_bytes_max = size_t{16} << 30;
    static constexpr size_t load_batch = 10000;
    MDB_env *env = nullptr;
    MDB_dbi dbi = 0;

    explicit Lmdb(const char *directory) {
        mkdir(directory, 0700);
        check(mdb_env_create(&env));
        check(mdb_env_set_mapsize(env, map_bytes_max));
        check(mdb_env_open(env, directory, 0, 0600));
        MDB_txn *txn = begin(0);
        check(mdb_dbi_open(txn, nullptr, MDB_CREATE, &dbi));
        check(mdb_txn_commit(txn));
    }

    ~Lmdb() override { mdb_env_close(env); }

    MDB_txn *begin(unsigned flags) {
        MDB_txn *txn;
        check(mdb_txn_begin(env, nullptr, flags, &txn));
        return txn;
    }

    void put_one(MDB_txn *txn, const std::string &key, const std::string &value) {
        MDB_val k = view(key), v = view(value);
        check(mdb_put(txn, dbi, &k, &v, 0));
    }

    void put(const std::vector<Pair> &pairs) override {
        MDB_txn *txn = begin(0);
        for (const auto &[key, value] : pairs) put_one(txn, key, value);
        check(mdb_txn_commit(txn));
    }

    void load(const std::vector<std::string> &documents) override {
        for (size_t from = 0; from < documents.size(); from += load_batch) {
            MDB_txn *txn = begin(0);
            for (size_t i = from; i < std::min(documents.size(), from + load_batch); i++) put_one(txn, order_id(i + 1), documents[i]);
            check(mdb_txn_commit(txn));
        }
    }

    size_t get(const std::string &key) override {
        // Renewing a reset reader is what LMDB recommends for short reads.
        thread_local MDB_txn *txn = nullptr;
        thread_local char copy[4096];
        if (!txn) txn = begin(MDB_RDONLY);
        else check(mdb_txn_renew(txn));
        MDB_val k = view(key), v;
        check(mdb_get(txn, dbi, &k, &v));
        size_t bytes = std::min(v.mv_size, sizeof copy);
        memcpy(copy, v.mv_data, bytes);
        mdb_txn_reset(txn);
        return bytes;
    }
};

int main(int argc, char **argv) {
    return run("lmdb", argc, argv, [](const char *directory) { return std::make_unique<Lmdb>(directory); });
}
