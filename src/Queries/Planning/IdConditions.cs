using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning;

/// <summary>Conditions on ids, which need no index.</summary>
internal static class IdConditions
{
    /// <summary>Whether a condition only lists ids.</summary>
    public static bool IsOfIds(Expression? where) => where switch
    {
        MethodExpression exact when exact.Is("exact") => IsOfIds(exact.Arguments[0].Value),
        ComparisonExpression or InExpression => !NeedsIndex(where),
        _ => false,
    };

    /// <summary>Whether a condition tests more than ids.</summary>
    public static bool NeedsIndex(Expression? where) => where switch
    {
        null or LiteralExpression => false,
        MethodExpression exact when exact.Is("exact") => NeedsIndex(exact.Arguments[0].Value),
        ComparisonExpression { Left: MethodExpression { IsDocumentId: true }, Operator: ComparisonOperator.Equal } => false,
        InExpression { Left: MethodExpression { IsDocumentId: true }, IsAll: false } => false,
        MethodExpression { Arguments: [{ Value: MethodExpression { IsDocumentId: true } }, _] } prefix when prefix.Is("startsWith") => false,
        _ => true,
    };

    /// <summary>The keys of ids, each once, in their order. Texts that cannot be ids are left out, because no document has them.</summary>
    public static List<byte[]> KeysOf(IReadOnlyList<QueryValue> values)
    {
        List<byte[]> keys = [];
        HashSet<string> known = [];
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        foreach (QueryValue value in values)
        {
            if (DocumentIds.TryMakeKey(value.Text, key, out int length) == DocumentIdFault.None
                && known.Add(Encoding.Latin1.GetString(key[..length])))
            {
                keys.Add(key[..length].ToArray());
            }
        }

        return keys;
    }

    /// <summary>The keys in the order of the ids.</summary>
    public static List<byte[]> Sort(IReadOnlyList<byte[]> keys, bool isDescending)
    {
        int direction = isDescending ? -1 : 1;
        return [.. keys.Order(Comparer<byte[]>.Create((left, right) => direction * left.AsSpan().SequenceCompareTo(right)))];
    }
}
