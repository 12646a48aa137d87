using Jackdaw.Json;

namespace Jackdaw.Scripting.Indexes;

/// <summary>The kind of a row's field.</summary>
internal enum JavaScriptFieldKind
{
    /// <summary>A member of the object that a map returned.</summary>
    Value,

    /// <summary>A member that is undefined; it has no text.</summary>
    Missing,

    /// <summary>A field that the script named itself, by <c>createField</c> or <c>$name</c>.</summary>
    Dynamic,

    /// <summary>A shape, as WKT.</summary>
    Spatial,
}

/// <summary>One field of a row.</summary>
/// <param name="Start">Offset of its JSON text in the buffer of the rows.</param>
/// <param name="Length">Bytes of it.</param>
/// <param name="Options">For a dynamic field, the JSON text of <c>$options</c>; null for none.</param>
internal readonly record struct JavaScriptField(
    string Name, JavaScriptFieldKind Kind, int Start, int Length, string? Options);

/// <summary>One row: an index entry, or what a reduce groups.</summary>
/// <param name="Fields">Null is a value; undefined members are missing fields.</param>
/// <param name="Boost">Factor of its score.</param>
internal sealed record JavaScriptRow(IReadOnlyList<JavaScriptField> Fields, double Boost);

/// <summary>Rows of one document or group, with the texts of their values.</summary>
internal sealed class JavaScriptRows : IDisposable
{
    private readonly List<JavaScriptRow> _rows = [];

    /// <summary>JSON texts of the fields.</summary>
    public PooledBuffer Texts { get; } = new();

    public IReadOnlyList<JavaScriptRow> Rows => _rows;

    public ReadOnlySpan<byte> TextOf(JavaScriptField field) => Texts.Written.Slice(field.Start, field.Length);

    public void Add(JavaScriptRow row) => _rows.Add(row);

    public void Clear()
    {
        _rows.Clear();
        Texts.Clear();
    }

    /// <summary>Appends a row as a JSON object, which is what a reduce takes; dynamic and missing fields are left out.</summary>
    public void AppendJson(JavaScriptRow row, PooledBuffer buffer)
    {
        buffer.Append((byte)'{');
        bool isFirst = true;
        foreach (JavaScriptField field in row.Fields)
        {
            if (field.Kind is JavaScriptFieldKind.Dynamic or JavaScriptFieldKind.Missing)
            {
                continue;
            }

            if (!isFirst)
            {
                buffer.Append((byte)',');
            }

            isFirst = false;
            byte[] name = System.Text.Encoding.UTF8.GetBytes(field.Name);
            buffer.Append((byte)'"');
            buffer.Advance(JsonText.WriteEscaped(name, buffer.Reserve(name.Length * JsonText.EscapedByteMax)));
            buffer.Append("\":"u8);
            buffer.Append(TextOf(field));
        }

        buffer.Append((byte)'}');
    }

    public void Dispose() => Texts.Dispose();
}
