using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tests.Attachments;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>Everything that a snapshot of a database shows, against a model.</summary>
internal sealed class TogetherComparison(DocumentReadScope read, Replica replica, TogetherModel model, string what)
{
    private const DocumentFlags FlagsOfExtensions = DocumentFlags.HasAttachments | DocumentFlags.HasCounters;

    private readonly HashSet<long> _etags = [];
    private readonly Dictionary<string, Etag> _etagsOfDocuments = [];

    /// <summary>Change vectors of the documents.</summary>
    public Dictionary<string, string> Vectors { get; } = [];

    public void Run()
    {
        CompareDocuments();
        CompareValues();
        CompareEtags();
        foreach (string key in model.Revisions.Keys.Union(model.Documents.Keys))
        {
            CompareRevisions(key);
        }

        CompareCounts();
        CompareContents();
    }

    private void CompareDocuments()
    {
        var found = new List<string>();
        using DocumentCursor cursor = read.OpenByIdPrefix(default, default);
        while (cursor.MoveNext())
        {
            StoredDocument one = cursor.Current;
            string key = Encoding.UTF8.GetString(one.Key);
            Vectors[key] = replica.TextOf(one.Version);
            string text = TextOf(one.Body).ToString();
            string counters = Names(one.Extensions[CounterExtension.Instance]);
            found.Add($"{Encoding.UTF8.GetString(one.Id)} {text} [{Attachments(one.Extensions[AttachmentExtension.Instance])}] [{counters}] {one.Flags}");
            NoteEtag(one.Etag.Value);
            _etagsOfDocuments[key] = one.Etag;
            CompareExtensions(key);
        }

        Same(
            model.Documents.Values.Select(one => $"{one.Id} {one.Text} [{one.ShowAttachments()}] [{one.ShowCounterNames()}] {FlagsOf(one)}"),
            found, "documents");
    }

    private void CompareExtensions(string key)
    {
        if (!model.Documents.TryGetValue(key, out TogetherDocument? document))
        {
            return;
        }

        var counters = new List<string>();
        foreach (CounterDetail counter in new CounterReads(read.Transaction).All(Encoding.UTF8.GetBytes(key)))
        {
            counters.Add($"{Encoding.UTF8.GetString(counter.Name.Span)}={counter.Value}");
            NoteEtag(counter.Etag.Value);
        }

        Same([document.ShowCounters()], [string.Join(';', counters)], $"counters of {key}");
        foreach (TogetherAttachment one in document.Attachments.Values)
        {
            Attachment? stored = ContentReader.Find(read, AttachmentBed.KeyOf(key, one.Name));
            Same([one.ToString()], [stored is null ? "" : $"{stored.Name}:{stored.HashText}:{stored.ContentType}:{stored.Size}"], $"attachment of {key}");
            NoteEtag(stored!.Version.Etag.Value);
        }
    }

    private void CompareCounts()
    {
        long attachments = model.Documents.Values.Sum(one => one.Attachments.Count);
        long counters = model.Documents.Values.Sum(one => one.Counters.Count);
        long revisions = model.Revisions.Values.Sum(list => list.Count);
        Same(
            [$"{model.Documents.Count} documents, {revisions} revisions, {attachments} attachments, {counters} counters, {model.Values.Count} values"],
            [$"{read.Counts.Documents} documents, {read.Counts.Revisions} revisions, {AttachmentTable.Open(read.Transaction).Count} attachments, "
                + $"{new CounterReads(read.Transaction).Count} counters, {CompareExchangeTable.Open(read.Transaction).Count} values"],
            "counts");
        Same(
            model.Documents.Values.GroupBy(one => one.Text.Collection).Select(group => $"{group.Key}: {group.Count()}").Order(),
            read.GetCollections().Select(one => $"{one.Name}: {one.Documents}").Order(),
            "collections");
    }

    // Of documents and of revisions.
    private void CompareContents()
    {
        IEnumerable<TogetherAttachment> used = model.Documents.Values.SelectMany(one => one.Attachments.Values)
            .Concat(model.Revisions.Values.SelectMany(list => list).SelectMany(one => one.Document.Attachments.Values));
        Table contents = ContentTable.Open(read.Transaction);
        var expected = new List<string>();
        var found = new List<string>();
        foreach (IGrouping<string, TogetherAttachment> group in used.GroupBy(one => one.Hash))
        {
            expected.Add($"{group.Key}: {group.Count()} references");
            bool isThere = contents.TryGetByKey(Convert.FromBase64String(group.Key), out TableRow row);
            found.Add($"{group.Key}: {(isThere ? new ContentRow(row).References : 0)} references");
            if (isThere)
            {
                CompareBytes(group.First(), new ContentRow(row).Number);
            }
        }

        Same(expected, found, "contents");
        Same([$"{expected.Count}"], [$"{contents.Count}"], "unique attachments");
    }

    private void CompareBytes(TogetherAttachment expected, long number)
    {
        for (int chunk = 0, at = 0; at < expected.Bytes.Length; chunk++)
        {
            ReadOnlySpan<byte> stored = ContentTable.ReadChunk(read.Transaction, number, chunk);
            Assert.True(stored.Length > 0 && expected.Bytes.AsSpan(at).StartsWith(stored), $"{what}: other bytes in {expected.Hash}");
            at += stored.Length;
        }
    }

    private void CompareValues()
    {
        var found = new List<string>();
        Table values = CompareExchangeTable.Open(read.Transaction);
        using TableKeyCursor cursor = values.OpenKeys(CompareExchangeTable.ByKey);
        for (bool has = cursor.SeekFirst(); has; has = cursor.MoveNext())
        {
            var row = new CompareExchangeRow(cursor.Row);
            found.Add($"{Encoding.UTF8.GetString(row.Key)} {row.Index} {Encoding.UTF8.GetString(row.Value)}");
            NoteEtag(row.Etag);
        }

        Same(model.Values.Select(one => $"{one.Key} {one.Value.Index} {one.Value.Json}"), found, "compare exchange");
    }

    private void CompareEtags()
    {
        TombstoneCursor tombstones = read.OpenTombstones(default, Etag.None);
        long count = 0;
        while (tombstones.MoveNext())
        {
            NoteEtag(tombstones.CurrentEtag.Value);
            count++;
        }

        Assert.True(count == read.Counts.Tombstones, $"{what}: {count} tombstones instead of {read.Counts.Tombstones}");
    }

    private void CompareRevisions(string key)
    {
        var reader = new RevisionReader(read.Transaction, replica);
        var found = new List<string>();
        using RevisionCursor cursor = reader.Open(TestCommands.Key(key), Etag.Maximum);
        Etag newest = Etag.None;
        while (cursor.MoveNext())
        {
            newest = newest == Etag.None ? cursor.CurrentEtag : newest;
            RevisionRow row = cursor.Current;
            string counters = Snapshot(row.Extension(CounterExtension.Instance));
            found.Insert(0, $"{Encoding.UTF8.GetString(row.Id)} {TextOf(row.Body)} [{Attachments(row.Extension(AttachmentExtension.Instance))}] "
                + $"[{counters}] {row.Flags & ~FlagsOfExtensions}");
        }

        Same(
            model.RevisionsOf(key).Select(one => $"{one.Document.Id} {one.Document.Text} [{one.Document.ShowAttachments()}] "
                + $"[{one.Document.ShowCounters()}] {one.Flags & ~FlagsOfExtensions}"),
            found, $"revisions of {key}");
        if (model.Documents.TryGetValue(key, out TogetherDocument? document) && model.RevisionsOf(key).LastOrDefault()?.Document.Version == document.Version)
        {
            Assert.True(newest == _etagsOfDocuments[key], $"{what}: the newest revision of {key} has etag {newest}, not that of its document");
        }
    }

    private DocumentFlags FlagsOf(TogetherDocument document) => document.TextFlags
        | (model.RevisionsOf(document.Id).Count > 0 ? DocumentFlags.HasRevisions : DocumentFlags.None)
        | (document.Attachments.Count > 0 ? DocumentFlags.HasAttachments : DocumentFlags.None)
        | (document.Counters.Count > 0 ? DocumentFlags.HasCounters : DocumentFlags.None);

    private void NoteEtag(long etag) => Assert.True(
        etag > 0 && etag <= read.LastEtag.Value && _etags.Add(etag), $"{what}: etag {etag} is there twice, or beyond the last one, {read.LastEtag.Value}");

    private void Same(IEnumerable<string> expected, IEnumerable<string> found, string about)
    {
        string[] wanted = [.. expected];
        string[] there = [.. found];
        Assert.True(
            wanted.SequenceEqual(there),
            $"{what}: {about}:\n{string.Join('\n', there.Except(wanted))}\ninstead of\n{string.Join('\n', wanted.Except(there))}"
                + $"\n({there.Length} and {wanted.Length})");
    }

    private static TogetherText TextOf(ReadOnlySpan<byte> body)
    {
        using JsonDocument json = JsonDocument.Parse(body.ToArray());
        JsonElement metadata = json.RootElement.GetProperty("@metadata");
        return new TogetherText(
            metadata.GetProperty("@collection").GetString()!,
            json.RootElement.TryGetProperty("n", out JsonElement number) ? number.GetInt64() : null,
            Time("@expires"), Time("@refresh"), Time("@archive-at"),
            metadata.TryGetProperty("@archived", out JsonElement archived) && archived.GetBoolean());
        DateTime? Time(string name) => metadata.TryGetProperty(name, out JsonElement time) ? time.GetDateTime().ToUniversalTime() : null;
    }

    private static string Attachments(ReadOnlySpan<byte> shown) => List(shown, one =>
        $"{one.GetProperty("Name")}:{one.GetProperty("Hash")}:{one.GetProperty("ContentType")}:{one.GetProperty("Size")}");

    private static string Names(ReadOnlySpan<byte> shown) => List(shown, one => one.GetString()!);

    private static string List(ReadOnlySpan<byte> shown, Func<JsonElement, string> show)
    {
        using JsonDocument json = JsonDocument.Parse(shown.IsEmpty ? "[]"u8.ToArray() : shown.ToArray());
        return string.Join(';', json.RootElement.EnumerateArray().Select(show));
    }

    private static string Snapshot(ReadOnlySpan<byte> kept)
    {
        using JsonDocument json = JsonDocument.Parse(kept.IsEmpty ? "{}"u8.ToArray() : kept.ToArray());
        return string.Join(';', json.RootElement.EnumerateObject().Select(one => $"{one.Name}={one.Value}"));
    }
}
