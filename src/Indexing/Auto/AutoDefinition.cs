using System.Security.Cryptography;
using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Json.Paths;

namespace Jackdaw.Indexing.Auto;

/// <summary>The definition of an auto index: fields of one collection, with or without groups. Immutable.</summary>
public sealed class AutoDefinition
{
    /// <summary>The name of the collection of all documents.</summary>
    public const string AllDocuments = "@all_docs";

    /// <summary>The field with the ids of the documents.</summary>
    public const string DocumentId = "id()";

    /// <summary>The field with the number of documents of a group.</summary>
    public const string Count = "Count";

    /// <summary>Longest name, in characters. A longer one is cut and gets a hash.</summary>
    private const int NameLengthMax = 256;

    private readonly SortedDictionary<string, AutoField> _fields = new(StringComparer.Ordinal);

    /// <param name="collection">The collection in the query; <see cref="AllDocuments"/> for all.</param>
    /// <param name="fields">Fields with the same name are merged.</param>
    /// <param name="groupBy">Empty for an index without groups.</param>
    public AutoDefinition(string collection, IEnumerable<AutoField> fields, IEnumerable<AutoGroupKey>? groupBy = null)
    {
        Collection = collection;
        foreach (AutoField field in fields)
        {
            _fields[field.Name] = _fields.TryGetValue(field.Name, out AutoField? known) ? known.Merge(field) : field;
        }

        GroupBy = [.. (groupBy ?? []).OrderBy(key => key.Text, StringComparer.Ordinal)];
        Name = MakeName();
    }

    public string Collection { get; }

    public string Name { get; }

    /// <summary>Ordered by name.</summary>
    public IReadOnlyCollection<AutoField> Fields => _fields.Values;

    /// <summary>Ordered by text; empty for an index without groups.</summary>
    public IReadOnlyList<AutoGroupKey> GroupBy { get; }

    public bool IsAllDocuments => string.Equals(Collection, AllDocuments, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether an earlier version made it whose paths meant something else, so that its index does not hold what queries look for.</summary>
    internal bool IsOutdated { get; init; }

    /// <summary>Whether a path names metadata that the server keeps.</summary>
    internal bool ReadsKeptMetadata => Fields.SelectMany(one => one.Aggregation == AutoAggregation.Count ? [] : one.Paths)
        .Concat(GroupBy.Select(key => DocumentPath.Parse(key.Path))).Any(path => path.ReadsKeptMetadata);

    /// <summary>Whether both have the same collection and the same groups, so that one index can have the fields of both.</summary>
    public bool IsAlike(AutoDefinition other) =>
        CollectionNameComparer.AreSame(Collection, other.Collection) && GroupBy.SequenceEqual(other.GroupBy);

    /// <summary>Whether this index answers every query that the other one answers.</summary>
    public bool Covers(AutoDefinition needed) =>
        !IsOutdated && IsAlike(needed) && needed._fields.Values.All(field => _fields.TryGetValue(field.Name, out AutoField? known) && known.Covers(field));

    /// <summary>Why this index does not answer every query of the other one; null if it does.</summary>
    public string? WhyNot(AutoDefinition needed)
    {
        if (!CollectionNameComparer.AreSame(Collection, needed.Collection))
        {
            return $"It holds documents of '{Collection}'.";
        }

        if (!GroupBy.SequenceEqual(needed.GroupBy))
        {
            return GroupBy.Count == 0 ? "It has no groups." : $"Its groups are by {string.Join(" and ", GroupBy.Select(key => key.Text))}.";
        }

        string[] missing = [.. needed._fields.Values
            .Where(field => !_fields.TryGetValue(field.Name, out AutoField? known) || !known.Covers(field)).SelectMany(PartsOf)];
        return missing.Length == 0 ? null : $"It does not have {string.Join(", ", missing)}.";
    }

    /// <summary>Whether both have the same fields and groups. Their names may be the same although they are not.</summary>
    internal bool IsSameAs(AutoDefinition other) => Covers(other) && other.Covers(this);

    /// <summary>A name for an index when another one has <see cref="Name"/>: names leave out the casing and what separates fields.</summary>
    internal string OtherName => Shorten(
        Name, string.Join('\n', Fields.Select(one => one.ToString()).Concat(GroupBy.Select(key => key.Text))));

    /// <summary>The definition that covers both.</summary>
    public AutoDefinition Merge(AutoDefinition other) => new(Collection, Fields.Concat(other.Fields), GroupBy);

    private static IEnumerable<string> PartsOf(AutoField field)
    {
        bool needsQuotes = field.IsQuoted && field.Name is not ['\'', ..];
        string name = needsQuotes ? $"'{field.Name}'" : field.Name.Replace(", ", "|", StringComparison.Ordinal).Replace(',', '|');
        if (field.Spatial is not null || field.Vector is not null || field.Name == DocumentId)
        {
            name = char.ToUpperInvariant(name[0]) + name[1..];
        }

        if (field.Search == AutoFieldSearch.Default)
        {
            yield return name;
            yield break;
        }

        if (field.Search.HasFlag(AutoFieldSearch.Exact))
        {
            yield return $"Exact({name})";
        }

        if (field.Search.HasFlag(AutoFieldSearch.Highlighting))
        {
            yield return $"Highlight({name})";
        }

        if (field.Search.HasFlag(AutoFieldSearch.Search))
        {
            yield return $"Search({name})";
        }
    }

    private string MakeName()
    {
        string collection = IsAllDocuments ? "AllDocs" : Collection;
        string fields = string.Join("And", _fields.Values.SelectMany(PartsOf).Order(StringComparer.Ordinal));
        string groups = GroupBy.Count == 0 ? "" : "ReducedBy" + string.Join("And", GroupBy.Select(key => key.Text));
        string name = $"Auto/{collection}/By{fields}{groups}";
        return name.Length <= NameLengthMax ? name : Shorten(name, name);
    }

    private static string Shorten(string name, string hashed)
    {
        string hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(hashed)).AsSpan(0, 8));
        return $"{name[..Math.Min(name.Length, NameLengthMax - hash.Length - 3)]}...{hash}";
    }
}
