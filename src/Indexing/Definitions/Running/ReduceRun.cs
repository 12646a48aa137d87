using System.Buffers;
using System.Text.Json;
using Jackdaw.Indexing.Definitions.Compilation;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>Reduces mapped rows: computes the key of a row, and the rows of a group.</summary>
/// <remarks>One thread. Rows are stored between map and reduce as JSON objects: <see cref="WriteRow"/>. A reduce can
/// get its own results as rows again.</remarks>
internal sealed class ReduceRun : IDisposable
{
    private readonly ReduceSource _source = new();
    private readonly IEnumerable<object> _pipeline;
    private readonly List<DocumentText> _texts = [];
    private readonly EntryRow _row;
    private readonly Func<Value, Value> _keyOf;
    private IEnumerator<object>? _rows;

    public ReduceRun(string index, CompiledTexts texts, DefinitionBase definition)
    {
        _row = new EntryRow(texts.Fields, texts.HasDynamicSlot);
        definition.Row = new OutputRow(texts.Fields.Length + (texts.HasDynamicSlot ? 1 : 0));
        ExecutionBudget.Start(0);
        _pipeline = definition.GetType().GetMethod(GeneratedNames.ReduceMethod)!
            .CreateDelegate<Func<ReduceSource, IEnumerable<object>>>(definition)(_source);
        _keyOf = _source.KeyOf ?? throw new IndexDefinitionException($"The reduce of the index '{index}' does not " +
            "group: write from r in results group r by r.Name into g select new { ... }.");
    }

    /// <summary>The row that <see cref="MoveNext"/> found.</summary>
    public EntryRow Current => _row;

    /// <summary>The key of a mapped row as text: rows with equal texts are one group.</summary>
    /// <param name="row">A row as <see cref="WriteRow"/> wrote it.</param>
    /// <exception cref="MapFailedException">The key cannot be computed.</exception>
    public string KeyOf(ReadOnlySpan<byte> row)
    {
        ExecutionBudget.Start(row.Length);
        Value value = TextAt(0).Read(row, default);
        try
        {
            return GroupKey.TextOf(_keyOf(value));
        }
        catch (Exception fault)
        {
            throw new MapFailedException(fault);
        }
    }

    /// <summary>Begins a group.</summary>
    /// <param name="rows">All its rows, as <see cref="WriteRow"/> wrote them; copied.</param>
    public void Begin(IReadOnlyList<ReadOnlyMemory<byte>> rows)
    {
        End();
        var values = new Value[rows.Count];
        int bytes = 0;
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = TextAt(i).Read(rows[i].Span, default);
            bytes += rows[i].Length;
        }

        _source.Rows = values;
        ExecutionBudget.Start(bytes);
        _rows = _pipeline.GetEnumerator();
    }

    /// <summary>Finds the next row of the group: usually there is one.</summary>
    /// <exception cref="MapFailedException">The definition failed for this group.</exception>
    public bool MoveNext()
    {
        try
        {
            while (_rows is not null && _rows.MoveNext())
            {
                if (_row.Take(_rows.Current))
                {
                    return true;
                }
            }

            End();
            return false;
        }
        catch (Exception fault)
        {
            End();
            throw new MapFailedException(fault);
        }
    }

    /// <summary>Writes a row as a JSON object: fields that are missing are left out.</summary>
    /// <param name="fields">Names in the order of the row's values: <see cref="CompiledDefinition.Fields"/>.</param>
    public static byte[] WriteRow(IReadOnlyList<string> fields, EntryRow row)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            for (int i = 0; i < fields.Count; i++)
            {
                if (!row.Values[i].IsMissing)
                {
                    json.WritePropertyName(fields[i]);
                    row.Values[i].WriteTo(json);
                }
            }

            foreach (DynamicField field in row.DynamicFields)
            {
                if (!fields.Contains(field.Name))
                {
                    json.WritePropertyName(field.Name);
                    field.Value.WriteTo(json);
                }
            }

            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    public void Dispose()
    {
        End();
        foreach (DocumentText text in _texts)
        {
            text.Dispose();
        }
    }

    private DocumentText TextAt(int index)
    {
        while (_texts.Count <= index)
        {
            _texts.Add(new DocumentText());
        }

        return _texts[index];
    }

    private void End()
    {
        _rows?.Dispose();
        _rows = null;
    }
}
