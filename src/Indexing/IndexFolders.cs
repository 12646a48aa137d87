using System.Security.Cryptography;
using Jackdaw.Indexing.Records;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing;

/// <summary>The folders in which the indexes of a database have their files. Each record names one, and no folder is used twice. Any thread.</summary>
internal sealed class IndexFolders(IndexHost host)
{
    /// <summary>Characters of an index's name that its folder begins with, so that people recognise it.</summary>
    private const int ReadableLengthMax = 40;

    /// <summary>A name that is legal on every file system and was never used before.</summary>
    public static string NewFor(string index)
    {
        string readable = new([.. index.Take(ReadableLengthMax).Select(letter => char.IsAsciiLetterOrDigit(letter) ? char.ToLowerInvariant(letter) : '_')]);
        return $"{readable}-{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(6))}";
    }

    /// <summary>Deletes the folders that no record names: the server was killed before it could delete them.</summary>
    public void DeleteOthers(IEnumerable<IndexRecord> records)
    {
        var known = records.Select(record => record.Folder).ToHashSet(StringComparer.Ordinal);
        foreach (string folder in host.Storage.Platform.ListDirectory(host.Folder).Where(folder => !known.Contains(folder)))
        {
            Delete(folder);
        }
    }

    /// <summary>Deletes a folder. If that fails, it is deleted when the database is opened the next time.</summary>
    public void Delete(string folder)
    {
        try
        {
            host.Storage.Platform.DeleteDirectory(host.Folder + "/" + folder);
        }
        catch (IOException failure)
        {
            host.Logger.LogWarning("The files of a deleted index could not be removed, and stay until the database is opened again: {Reason}",
                failure.Message.ReplaceLineEndings(" "));
        }
    }
}
