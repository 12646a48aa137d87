using System.Collections.Immutable;
using System.Globalization;
using System.Security.Cryptography;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>A document of the model.</summary>
internal sealed record TogetherDocument(
    long Version,
    string Id,
    TogetherText Text,
    DocumentFlags Flags,
    ImmutableSortedDictionary<string, TogetherAttachment> Attachments,
    ImmutableSortedDictionary<string, (string Name, long Value)> Counters)
{
    public static ImmutableSortedDictionary<string, TogetherAttachment> NoAttachments { get; } =
        ImmutableSortedDictionary.Create<string, TogetherAttachment>(StringComparer.Ordinal);

    public static ImmutableSortedDictionary<string, (string Name, long Value)> NoCounters { get; } =
        ImmutableSortedDictionary.Create<string, (string Name, long Value)>(StringComparer.Ordinal);

    /// <summary>Whether the version that is stored shows attachments; within a batch there may be others already.</summary>
    public bool ShowsAttachments { get; init; }

    /// <summary>Whether it shows counters.</summary>
    public bool ShowsCounters { get; init; }

    public DocumentFlags TextFlags => Flags | (Text.IsArchived ? DocumentFlags.Archived : DocumentFlags.None);

    public static TogetherDocument Gone(long version, TogetherDocument document) => new(
        version, document.Id, new TogetherText(document.Text.Collection, null), DocumentFlags.None, NoAttachments, NoCounters);

    /// <summary>What a revision has of it.</summary>
    public TogetherDocument Kept() => this with
    {
        Attachments = ShowsAttachments ? Attachments : NoAttachments,
        Counters = ShowsCounters ? Counters : NoCounters,
    };

    public string ShowAttachments() => string.Join(';', Attachments.Values.Select(one => one.ToString()));

    public string ShowCounterNames() => string.Join(';', Counters.Values.Select(one => one.Name));

    public string ShowCounters() => string.Join(';', Counters.Values.Select(one => $"{one.Name}={one.Value}"));
}

/// <summary>What clients write.</summary>
internal sealed record TogetherText(
    string Collection, long? Number, DateTime? Expires = null, DateTime? Refresh = null, DateTime? Archive = null, bool IsArchived = false)
{
    public string ToJson()
    {
        string times = Time("@expires", Expires) + Time("@refresh", Refresh) + Time("@archive-at", Archive);
        return $$$"""{"n":{{{Number}}},"@metadata":{"@collection":"{{{Collection}}}"{{{times}}}}}""";
    }

    public override string ToString() => $"{Collection} n={Number} {Show(Expires)}/{Show(Refresh)}/{Show(Archive)}/{IsArchived}";

    public static string Show(DateTime? time) => time?.ToString("O", CultureInfo.InvariantCulture) ?? "";

    private static string Time(string name, DateTime? time) => time is null ? "" : $",\"{name}\":\"{Show(time)}\"";
}

internal sealed record TogetherAttachment(string Name, string Type, byte[] Bytes)
{
    public string Hash { get; } = Convert.ToBase64String(SHA256.HashData(Bytes));

    public override string ToString() => $"{Name}:{Hash}:{Type}:{Bytes.Length}";
}

/// <summary>A version that was kept.</summary>
internal sealed record TogetherRevision(TogetherDocument Document, DocumentFlags Flags)
{
    public bool IsDelete => (Flags & DocumentFlags.DeleteRevision) != 0;
}

internal sealed record TogetherValue(long Index, string Json);
