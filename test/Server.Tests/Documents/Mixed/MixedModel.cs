using System.Security.Cryptography;

namespace Jackdaw.Server.Tests.Documents.Mixed;

/// <summary>What a database must hold after batches, in dictionaries.</summary>
internal sealed class MixedModel
{
    /// <summary>By id.</summary>
    public SortedDictionary<string, MixedDocument> Documents { get; } = new(StringComparer.Ordinal);

    /// <summary>Cluster-wide batches: each has one value and one guard.</summary>
    public List<string> Values { get; } = [];

    public void Put(string id, long number, bool expires = false)
    {
        MixedDocument document = Documents.TryGetValue(id, out MixedDocument? known) ? known : Documents[id] = new MixedDocument();
        (document.Number, document.Expires) = (number, expires);
    }

    public void Delete(string id) => Documents.Remove(id);

    /// <summary>Changes a number; a document that is missing stays missing.</summary>
    public void Patch(string id, Func<long, long> change)
    {
        if (Documents.TryGetValue(id, out MixedDocument? document))
        {
            document.Number = change(document.Number);
        }
    }

    public void Count(string id, string name, long delta)
    {
        SortedDictionary<string, long> counters = Documents[id].Counters;
        counters[name] = counters.GetValueOrDefault(name) + delta;
    }

    public void Attach(string id, string name, byte[] bytes) => Documents[id].Attachments[name] = Convert.ToBase64String(SHA256.HashData(bytes));

    public void Detach(string id, string name)
    {
        if (Documents.TryGetValue(id, out MixedDocument? document))
        {
            document.Attachments.Remove(name);
        }
    }

    public void Transfer(string id, string name, string toId, string toName, bool isMove)
    {
        string hash = Documents[id].Attachments[name];
        if (isMove)
        {
            Documents[id].Attachments.Remove(name);
        }

        Documents[toId].Attachments[toName] = hash;
    }
}

/// <summary>One document of a model.</summary>
internal sealed class MixedDocument
{
    public long Number { get; set; }

    /// <summary>It is deleted some time after it was written: it is there whole, or not at all.</summary>
    public bool Expires { get; set; }

    /// <summary>Names with hashes.</summary>
    public SortedDictionary<string, string> Attachments { get; } = new(StringComparer.Ordinal);

    public SortedDictionary<string, long> Counters { get; } = new(StringComparer.Ordinal);

    public override string ToString() => Describe(
        Number, Attachments.Select(one => $"{one.Key}={one.Value}"), Counters.Select(one => $"{one.Key}={one.Value}"));

    public static string Describe(long number, IEnumerable<string> attachments, IEnumerable<string> counters) =>
        $"{number} [{string.Join(' ', attachments)}] [{string.Join(' ', counters)}]";
}
