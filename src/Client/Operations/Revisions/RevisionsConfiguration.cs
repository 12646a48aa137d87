using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Revisions;

/// <summary>For which collections the server keeps revisions of documents, and which revisions.</summary>
public sealed class RevisionsConfiguration
{
    /// <summary>The configuration of collections that are not named. Null if they have no revisions.</summary>
    public RevisionsCollectionConfiguration? Default { get; set; }

    /// <summary>The configurations of single collections, which replace <see cref="Default"/>.</summary>
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

/// <summary>Which revisions of the documents of a collection the server keeps.</summary>
/// <remarks>With both minimums, a revision is removed only when it exceeds both. Without any, all revisions stay.</remarks>
public sealed class RevisionsCollectionConfiguration
{
    /// <summary>Whether no new revisions are made.</summary>
    public bool Disabled { get; set; }

    /// <summary>Number of the newest revisions of each document that stay. Null for no limit.</summary>
    public long? MinimumRevisionsToKeep { get; set; }

    /// <summary>Age up to which revisions stay. Null for no limit.</summary>
    public TimeSpan? MinimumRevisionAgeToKeep { get; set; }

    /// <summary>Whether the deletion of a document deletes all its revisions.</summary>
    public bool PurgeOnDelete { get; set; }

    /// <summary>Largest number of revisions that one write of a document deletes. Null for no limit.</summary>
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
