using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Revisions;

/// <summary>Of which collections versions of documents are kept, and which.</summary>
public sealed class RevisionsConfiguration
{
    /// <summary>For collections that are not named. Null: none are kept of them.</summary>
    public RevisionsCollectionConfiguration? Default { get; set; }

    /// <summary>For single collections, in place of <see cref="Default"/>.</summary>
    public Dictionary<string, RevisionsCollectionConfiguration> Collections { get; set; } = new(StringComparer.OrdinalIgnoreCase);

    internal void Write(Utf8JsonWriter json)
    {
        if (Default is not null)
        {
            json.WriteStartObject("Default"u8);
            Default.Write(json);
        }

        json.WriteStartObject("Collections"u8);
        foreach ((string name, RevisionsCollectionConfiguration collection) in Collections)
        {
            json.WriteStartObject(name);
            collection.Write(json);
        }

        json.WriteEndObject();
    }

    internal static RevisionsConfiguration? Read(JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            return null;
        }

        var configuration = new RevisionsConfiguration();
        if (json.TryFind("Default"u8, JsonValueKind.Object, out JsonElement all))
        {
            configuration.Default = RevisionsCollectionConfiguration.Read(all);
        }

        foreach ((string name, JsonElement collection) in json.Members("Collections"u8))
        {
            configuration.Collections[name] = RevisionsCollectionConfiguration.Read(collection);
        }

        return configuration;
    }
}

/// <summary>Which versions of the documents of a collection are kept.</summary>
/// <remarks>With both minimums a version goes only when it is beyond both of them; without any, all are kept.</remarks>
public sealed class RevisionsCollectionConfiguration
{
    /// <summary>None are kept from now on.</summary>
    public bool Disabled { get; set; }

    /// <summary>So many of each document are kept. Null: no limit.</summary>
    public long? MinimumRevisionsToKeep { get; set; }

    /// <summary>Younger ones are kept. Null: no limit.</summary>
    public TimeSpan? MinimumRevisionAgeToKeep { get; set; }

    /// <summary>With a document all its versions are deleted.</summary>
    public bool PurgeOnDelete { get; set; }

    /// <summary>One write of a document deletes no more than so many. Null: no limit.</summary>
    public long? MaximumRevisionsToDeleteUponDocumentUpdate { get; set; }

    internal void Write(Utf8JsonWriter json)
    {
        json.WriteBoolean("Disabled"u8, Disabled);
        json.WriteBoolean("PurgeOnDelete"u8, PurgeOnDelete);
        if (MinimumRevisionsToKeep is { } count)
        {
            json.WriteNumber("MinimumRevisionsToKeep"u8, count);
        }

        if (MinimumRevisionAgeToKeep is { } age)
        {
            json.WriteString("MinimumRevisionAgeToKeep"u8, age.ToString("c", CultureInfo.InvariantCulture));
        }

        if (MaximumRevisionsToDeleteUponDocumentUpdate is { } most)
        {
            json.WriteNumber("MaximumRevisionsToDeleteUponDocumentUpdate"u8, most);
        }

        json.WriteEndObject();
    }

    internal static RevisionsCollectionConfiguration Read(JsonElement json) => new()
    {
        Disabled = json.Flag("Disabled"u8),
        PurgeOnDelete = json.Flag("PurgeOnDelete"u8),
        MinimumRevisionsToKeep = json.Number("MinimumRevisionsToKeep"u8),
        MinimumRevisionAgeToKeep = TimeSpan.TryParse(json.Text("MinimumRevisionAgeToKeep"u8), CultureInfo.InvariantCulture, out TimeSpan age) ? age : null,
        MaximumRevisionsToDeleteUponDocumentUpdate = json.Number("MaximumRevisionsToDeleteUponDocumentUpdate"u8),
    };
}
