using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Writes <c>{"Counters":[...]}</c>: the counters in the order in which they were asked for, and null for one that does not exist. Disposing it writes
/// the end.</summary>
internal sealed class CounterAnswer : IDisposable
{
    private readonly DocumentDatabase _database;
    private readonly Utf8JsonWriter _json;
    private readonly bool _isFull;
    private int _written;

    /// <param name="body">Receives the answer.</param>
    /// <param name="isFull">Whether the share of each node is written.</param>
    public CounterAnswer(DocumentDatabase database, ResponseBuffer body, bool isFull)
    {
        _database = database;
        _isFull = isFull;
        _json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions);
        _json.WriteStartObject();
        _json.WriteStartArray("Counters"u8);
    }

    /// <summary>Writes one counter of a snapshot.</summary>
    /// <param name="key">The key of the document.</param>
    /// <param name="name">UTF-8, in any casing. The answer has it as it is, because clients find the counter by the name for which they asked.</param>
    public void Write(DocumentReadScope read, ReadOnlySpan<byte> key, ReadOnlyMemory<byte> name)
    {
        bool isThere = read.TryGet(key, out StoredDocument document);
        CounterDetail detail = isThere ? new CounterReads(read.Transaction).Find(key, name.Span) with { Name = name } : default;
        Write(document.Id, detail);
    }

    /// <summary>Writes all counters of a document, ordered by name.</summary>
    /// <param name="key">The key of the document.</param>
    public void WriteAll(DocumentReadScope read, ReadOnlySpan<byte> key)
    {
        if (!read.TryGet(key, out StoredDocument document))
        {
            return;
        }

        using CounterList counters = new CounterReads(read.Transaction).List(key);
        while (counters.MoveNext())
        {
            Write(document.Id, CounterDetail.Of(counters.Current, default));
        }
    }

    /// <summary>Writes the results of a command.</summary>
    public void Write(CountersCommand command)
    {
        foreach (CounterDetail detail in command.Details)
        {
            Write(command.Id.Span, detail);
        }
    }

    /// <summary>Takes a newer snapshot when this one was held long enough.</summary>
    public void Renew(RenewedRead read)
    {
        _json.Flush();
        if (read.IsSpentAfter(_written))
        {
            read.Renew();
        }

        _written = 0;
    }

    public void Dispose()
    {
        _json.WriteEndArray();
        _json.WriteEndObject();
        _json.Dispose();
    }

    private void Write(ReadOnlySpan<byte> id, in CounterDetail detail)
    {
        CounterAnswers.Write(_json, id, detail, _isFull ? _database.Replica : null);
        _written += detail.Name.Length;
    }
}
