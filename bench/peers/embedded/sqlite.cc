// SQLite in WAL mode with synchronous=FULL. A table with row ids: WITHOUT ROWID puts 1 KB documents on overflow pages,
// which made bulk loads four times slower. Checkpointed after a load, or reads would go through a huge WAL.
#include "engine.h"
#include <sqlite3.h>
#include <sys/stat.h>

static sqlite3 *connect(const std::string &path) {
    sqlite3 *db;
    if (sqlite3_open(path.c_str(), &db)) fail("cannot open the database");
    sqlite3_busy_timeout(db, 10000);
    sqlite3_exec(db,
                 "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-1000000; PRAGMA mmap_size=8589934592;"
                 "CREATE TABLE IF NOT EXISTS docs(id TEXT PRIMARY KEY, doc TEXT)",
                 nullptr, nullptr, nullptr);
    return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, nullptr) != SQLITE_OK) fail(sqlite3_errmsg(db));
    return statement;
}

struct Sqlite : Engine {
    static constexpr size_t load_batch = 10000;
    std::string path;
    sqlite3 *db;
    sqlite3_stmt *insert;

    explicit Sqlite(const char *directory) : path(std::string(directory) + "/db") {
        mkdir(directory, 0700);
        db = connect(path);
        insert = prepare(db, "INSERT INTO docs VALUES(?,?)");
    }

    ~Sqlite() override {
        sqlite3_finalize(insert);
        sqlite3_close(db);
    }

    void execute(const char *sql) {
        if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(sqlite3_errmsg(db));
    }

    void put_one(const std::string &key, const std::string &value) {
        sqlite3_bind_text(insert, 1, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
        sqlite3_bind_text(insert, 2, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE || sqlite3_reset(insert) != SQLITE_OK) fail(sqlite3_errmsg(db));
    }

    void put(const std::vector<Pair> &pairs) override {
        execute("BEGIN IMMEDIATE");
        for (const auto &[key, value] : pairs) put_one(key, value);
        execute("COMMIT");
    }

    void load(const std::vector<std::string> &documents) override {
        for (size_t from = 0; from < documents.size(); from += load_batch) {
            execute("BEGIN");
            for (size_t i = from; i < std::min(documents.size(), from + load_batch); i++) put_one(order_id(i + 1), documents[i]);
            execute("COMMIT");
        }
        execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    size_t get(const std::string &key) override {
        // One connection per thread: a connection serves one thread at a time.
        thread_local sqlite3 *own = connect(path);
        thread_local sqlite3_stmt *select = prepare(own, "SELECT doc FROM docs WHERE id=?");
        sqlite3_bind_text(select, 1, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
        if (sqlite3_step(select) != SQLITE_ROW) return 0;
        size_t bytes = strlen(reinterpret_cast<const char *>(sqlite3_column_text(select, 0)));
        sqlite3_reset(select);
        return bytes;
    }
};

int main(int argc, char **argv) {
    return run("sqlite", argc, argv, [](const char *directory) { return std::make_unique<Sqlite>(directory); });
}
