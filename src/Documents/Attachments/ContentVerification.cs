using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text.Json;
using Jackdaw.Documents.Revisions;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Attachments;

/// <summary>Checks the contents of attachments in one snapshot: each content that an attachment or a revision uses is stored once and completely, its
/// references are counted correctly, and each stored chunk belongs to a content.</summary>
internal sealed class ContentVerification
{
    private readonly ReadTransaction _read;
    private readonly List<string> _problems = [];
    private readonly Dictionary<string, (long Size, long Count)> _references = [];
    private readonly Dictionary<long, StoredChunks> _chunks = [];
    private readonly HashSet<long> _loose = [];

    private ContentVerification(ReadTransaction read) => _read = read;

    /// <summary>Looks at everything.</summary>
    public static ContentReport Examine(ReadTransaction read)
    {
        var verification = new ContentVerification(read);
        verification.CountAttachments();
        verification.CountRevisions();
        verification.ReadChunks();
        verification.ReadLoose();
        long contents = verification.CheckContents();
        long looseBytes = verification.CheckLeftovers();
        return new ContentReport(verification._problems, contents, verification._loose.Count, looseBytes);
    }

    private void CountAttachments()
    {
        using TableKeyCursor cursor = AttachmentTable.Open(_read).OpenKeys(AttachmentTable.ByKey);
        for (bool has = cursor.SeekFirst(); has; has = cursor.MoveNext())
        {
            var row = new AttachmentRow(cursor.Row);
            Count(Convert.ToBase64String(row.Hash), row.Size);
        }
    }

    private void CountRevisions()
    {
        using TableKeyCursor cursor = RevisionTable.Open(_read).OpenKeys(RevisionTable.ByKey);
        for (bool has = cursor.SeekFirst(); has; has = cursor.MoveNext())
        {
            ReadOnlySpan<byte> shown = new RevisionRow(cursor.Row).Extension(AttachmentExtension.Instance);
            if (!shown.IsEmpty)
            {
                using JsonDocument json = JsonDocument.Parse(shown.ToArray());
                foreach (JsonElement one in json.RootElement.EnumerateArray())
                {
                    Count(one.GetProperty("Hash"u8).GetString()!, one.GetProperty("Size"u8).GetInt64());
                }
            }
        }
    }

    private void Count(string hash, long size)
    {
        (long known, long count) = _references.GetValueOrDefault(hash, (size, 0));
        if (known != size)
        {
            _problems.Add($"attachments with the content {hash} have the sizes {known} and {size}");
        }

        _references[hash] = (known, count + 1);
    }

    // The chunks of one number lie together in their order.
    private void ReadChunks()
    {
        using BTreeCursor? cursor = _read.Trees.FindTree(ContentTable.ChunksName)?.OpenCursor();
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        bool has = cursor?.SeekFirst() == true;
        while (has)
        {
            long number = BinaryPrimitives.ReadInt64BigEndian(cursor!.Key);
            long bytes = 0;
            bool isInOrder = true;
            for (int index = 0; has && BinaryPrimitives.ReadInt64BigEndian(cursor.Key) == number; index++, has = cursor.MoveNext())
            {
                int stored = BinaryPrimitives.ReadInt32BigEndian(cursor.Key[sizeof(long)..]);
                isInOrder &= stored == index && bytes == (long)index * AttachmentLimits.ChunkBytes;
                bytes += cursor.Value.Length;
                hash.AppendData(cursor.Value);
            }

            _chunks[number] = new StoredChunks(bytes, isInOrder, Convert.ToBase64String(hash.GetHashAndReset()));
        }
    }

    private void ReadLoose()
    {
        using BTreeCursor? cursor = _read.Trees.FindTree(ContentTable.LooseName)?.OpenCursor();
        for (bool has = cursor?.SeekFirst() == true; has; has = cursor!.MoveNext())
        {
            long number = BinaryPrimitives.ReadInt64BigEndian(cursor!.Key);
            if (number != 0) // the last number that was given out
            {
                _loose.Add(number);
            }
        }
    }

    private long CheckContents()
    {
        Table contents = ContentTable.Open(_read);
        using TableKeyCursor cursor = contents.OpenKeys(ContentTable.ByHash);
        for (bool has = cursor.SeekFirst(); has; has = cursor.MoveNext())
        {
            CheckContent(new ContentRow(cursor.Row), Convert.ToBase64String(cursor.Key));
        }

        _problems.AddRange(_references.Select(one => $"the content {one.Key}, which {one.Value.Count} attachments and revisions show, is not stored"));
        return contents.Count;
    }

    private void CheckContent(ContentRow row, string hash)
    {
        _references.Remove(hash, out (long Size, long Count) shown);
        if (shown.Count != row.References)
        {
            _problems.Add($"the content {hash} has {row.References} references, and {shown.Count} attachments and revisions show it");
        }
        else if (shown.Size != row.Size)
        {
            _problems.Add($"the content {hash} has {row.Size} bytes, and attachments say {shown.Size}");
        }

        bool isStored = _chunks.Remove(row.Number, out StoredChunks chunks);
        if (row.Size > 0 && !(isStored && chunks.IsInOrder && chunks.Bytes == row.Size && chunks.Hash == hash))
        {
            string found = isStored ? $"{chunks.Bytes} bytes with the hash {chunks.Hash}" : "none";
            _problems.Add($"the content {hash} has {row.Size} bytes, and its chunks are different: {found}");
        }

        if (_loose.Contains(row.Number))
        {
            _problems.Add($"the content {hash} is marked for removal, although it is in use");
        }
    }

    private long CheckLeftovers()
    {
        long bytes = 0;
        foreach ((long number, StoredChunks chunks) in _chunks)
        {
            bytes += chunks.Bytes;
            if (!_loose.Contains(number))
            {
                _problems.Add($"{chunks.Bytes} bytes of contents with the number {number} are stored, and nothing refers to them");
            }
        }

        return bytes;
    }

    private readonly record struct StoredChunks(long Bytes, bool IsInOrder, string Hash);
}

/// <summary>The result of the check of contents.</summary>
/// <param name="Problems">The problems; empty when there are none.</param>
/// <param name="Contents">The number of contents that are in use.</param>
/// <param name="Loose">The number of contents to which nothing refers; the running server removes them.</param>
/// <param name="LooseBytes">The bytes of these contents and of chunks to which nothing refers.</param>
internal sealed record ContentReport(IReadOnlyList<string> Problems, long Contents, long Loose, long LooseBytes);
