using System.Text;
using Jackdaw.Search.Results;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>Collects the stored values of one entry. Older indexes store texts, newer ones bytes.</summary>
internal sealed class StoredValueReader : StoredFieldVisitor
{
    private readonly List<StoredValue> _values = [];

    public IReadOnlyList<StoredValue> Values => _values;

    public override Status NeedsField(FieldInfo fieldInfo) => IndexTerms.IsInternal(fieldInfo.Name) ? Status.NO : Status.YES;

    public override void BinaryField(FieldInfo fieldInfo, byte[] value) => _values.Add(new StoredValue(fieldInfo.Name, value));

    public override void StringField(FieldInfo fieldInfo, string value) =>
        _values.Add(new StoredValue(fieldInfo.Name, Encoding.UTF8.GetBytes(value)));
}
