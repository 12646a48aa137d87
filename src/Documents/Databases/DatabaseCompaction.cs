using System.Globalization;
using System.Text.Json;
using Jackdaw.Documents.Operations;
using Jackdaw.Pal;
using Jackdaw.Storage;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Databases;

/// <summary>Rewrites storages of one closed database without their free space, one after the other, and shows how far it is. One thread runs it, any thread
/// reads its figures.</summary>
/// <remarks>Each storage is unchanged or compacted, no matter what fails (<see cref="StorageCompaction"/>). The documents come first, because their
/// opening restores names of journals that the branches need. They stay locked until the last branch is done.</remarks>
/// <param name="ofDocuments">Whether the storage of the documents is compacted.</param>
/// <param name="branches">The storages that share its journals, as paths below its folder. One that does not exist any more is skipped.</param>
/// <param name="schemas">All tables that these storages may have.</param>
internal sealed class DatabaseCompaction(bool ofDocuments, IReadOnlyList<string> branches, IReadOnlyCollection<TableSchema> schemas) : OperationFigures
{
    private const double BytesPerMegabyte = 1 << 20;

    private volatile Step _step = new(0, "", 0, 0, 0, 0);

    private int StepCount => branches.Count + (ofDocuments ? 1 : 0);

    /// <inheritdoc/>
    public override string ResultType => "CompactionResult";

    /// <summary>The progress in one phrase.</summary>
    public string Phrase
    {
        get
        {
            Step step = _step;
            return step.Number == 0
                ? "running requests end first"
                : string.Create(CultureInfo.InvariantCulture, $"{step.Percent} % of {step.Name}, storage {step.Number} of {StepCount}");
        }
    }

    /// <summary>Compacts.</summary>
    /// <param name="folder">The folder of the database.</param>
    /// <param name="changed">Called when there is progress; an exception from it ends the compaction of a storage, which stays as it was.</param>
    public void Run(IPlatform platform, string folder, StorageOptions options, Action changed)
    {
        options = options with { CommitObserver = null, RecoveryProgress = null };
        if (ofDocuments)
        {
            Compact(platform, folder, "the documents", options, changed);
        }

        if (branches.Count == 0)
        {
            return;
        }

        using IDisposable held = FolderLock.Take(platform, folder);
        foreach (string branch in branches)
        {
            Compact(platform, $"{folder}/{branch}", branch, options, changed);
        }
    }

    /// <inheritdoc/>
    public override void WriteProgress(Utf8JsonWriter json)
    {
        Step step = _step;
        json.WriteNumber("Processed"u8, step.Done);
        json.WriteNumber("Total"u8, step.Total);
        json.WriteString("Message"u8, Phrase);
    }

    /// <inheritdoc/>
    public override void WriteResult(Utf8JsonWriter json)
    {
        Step step = _step;
        string compacted = step.Number == 1 ? "1 storage is compacted" : string.Create(CultureInfo.InvariantCulture, $"{step.Number} storages are compacted");
        json.WriteString("Message"u8, string.Create(CultureInfo.InvariantCulture,
            $"{compacted}: {Megabytes(step.BytesBefore)} MB became {Megabytes(step.BytesAfter)} MB."));
        json.WriteNumber("SizeBeforeCompactionInMb"u8, Megabytes(step.BytesBefore));
        json.WriteNumber("SizeAfterCompactionInMb"u8, Megabytes(step.BytesAfter));
    }

    private void Compact(IPlatform platform, string folder, string name, StorageOptions options, Action changed)
    {
        if (!StorageEnvironment.Exists(platform, folder))
        {
            return;
        }

        Step begun = _step with { Number = _step.Number + 1, Name = name, Done = 0, Total = 0 };
        Show(begun);
        CompactionResult result = StorageCompaction.Run(platform, folder, schemas, options, (done, total) => Show(begun with { Done = done, Total = total }));
        _step = _step with { BytesBefore = begun.BytesBefore + result.BytesBefore, BytesAfter = begun.BytesAfter + result.BytesAfter };

        void Show(Step step)
        {
            _step = step;
            changed();
        }
    }

    private static double Megabytes(long bytes) => Math.Round(bytes / BytesPerMegabyte, 1);

    private sealed record Step(int Number, string Name, long Done, long Total, long BytesBefore, long BytesAfter)
    {
        public long Percent => Total == 0 ? 0 : Done * 100 / Total;
    }
}
