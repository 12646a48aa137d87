using System.Diagnostics;
using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.Measurement;

/// <summary>Measures writes of the platform layer on files of one folder. Starts its own threads; one call at a
/// time.</summary>
/// <remarks>
/// The files are allocated and filled with zeros first, so that a cell measures writes and not growth. By default they hold <see cref="FileBytesTotal"/>
/// together, no matter how many they are: a write goes to the next slot of its size, and starts over at the end.
/// </remarks>
public sealed unsafe class WriteMeasurement : IDisposable
{
    /// <summary>Bytes of all files of one measurement: larger than what small drives cache, quick to fill.</summary>
    public const long FileBytesTotal = 256L << 20;

    // Number of latencies stored per thread. A longer cell overwrites the oldest, so a thread needs at most 8 MB.
    private const int SamplesMax = 1 << 20;

    private const int FillBytes = 16 << 20;

    private readonly string _folder;
    private readonly NativePlatform _platform = new();
    private readonly List<PalFile> _journals = [];
    private readonly List<PalFile> _files = [];
    private readonly byte* _buffer;

    /// <summary>Prepares files in a folder of its own, which is removed again by <see cref="Dispose"/>.</summary>
    /// <param name="folder">Must not exist.</param>
    /// <param name="fileCount">1 to 128.</param>
    /// <param name="bytesTotal">Bytes of all files together.</param>
    public WriteMeasurement(string folder, int fileCount, long bytesTotal = FileBytesTotal)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(fileCount, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(fileCount, 128);
        _folder = folder;
        FileBytes = bytesTotal / fileCount / PalLimits.Alignment * PalLimits.Alignment;
        _platform.CreateDirectory(folder);
        _buffer = PalMemory.Allocate(FillBytes);
        try
        {
            // Not zero: some drives and virtual disks make zeros cheaper than data.
            new Span<byte>(_buffer, FillBytes).Fill(0x5A);
            for (int i = 0; i < fileCount; i++)
            {
                Prepare($"{folder}/{i}");
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Bytes of each file: the largest write that can be measured on it.</summary>
    public long FileBytes { get; }

    /// <summary>True when durable writes bypass the page cache; false where the file system refuses that.</summary>
    public bool IsDirect => ((NativeFile)_journals[0]).IsDirect;

    /// <summary>Runs one cell.</summary>
    /// <param name="mode">How to write.</param>
    /// <param name="writeBytes">Multiple of 4096, at most <see cref="FileBytes"/> and 16 MB.</param>
    /// <param name="threads">Writers; each gets a file of its own where there are enough, else all share the
    /// first.</param>
    /// <param name="duration">How long.</param>
    /// <param name="cancellationToken">Ends it early; the result covers what was written.</param>
    public WriteResult Run(
        WriteMode mode, int writeBytes, int threads, TimeSpan duration, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(writeBytes, Math.Min(FillBytes, FileBytes));
        var writers = new Writer[threads];
        using var start = new ManualResetEventSlim();
        for (int i = 0; i < threads; i++)
        {
            int file = threads <= _files.Count ? i : 0;
            PalFile target = mode == WriteMode.Durable ? _journals[file] : _files[file];
            writers[i] = new Writer(this, target, mode, writeBytes, threads <= _files.Count ? 0 : i, start, duration, cancellationToken);
        }

        long begun = Stopwatch.GetTimestamp();
        start.Set();
        Array.ForEach(writers, writer => writer.Wait());
        return Summarize(writers, writeBytes, Stopwatch.GetElapsedTime(begun).TotalSeconds);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _journals.ForEach(file => file.Dispose());
        _files.ForEach(file => file.Dispose());
        _journals.Clear();
        _files.Clear();
        if (_platform.Exists(_folder))
        {
            _platform.DeleteDirectory(_folder);
            PalMemory.Free(_buffer, FillBytes);
        }
    }

    private static WriteResult Summarize(Writer[] writers, int writeBytes, double seconds)
    {
        long[] ticks = [.. writers.SelectMany(writer => writer.Samples)];
        Array.Sort(ticks);
        long writes = writers.Sum(writer => writer.Writes);
        double usPerTick = 1e6 / Stopwatch.Frequency;
        return new WriteResult(writes, seconds, ticks[ticks.Length / 2] * usPerTick,
            ticks[(int)(ticks.Length * 0.99)] * usPerTick, writes * (double)writeBytes / seconds / 1e6)
        {
            LatencyUsP999 = ticks[(int)(ticks.Length * 0.999)] * usPerTick,
            LatencyUsMax = writers.Max(writer => writer.SlowestTicks) * usPerTick,
        };
    }

    private void Prepare(string path)
    {
        PalFile journal = _platform.OpenFile(path, FileOpening.CreateNew, FileUse.Journal);
        _journals.Add(journal);
        journal.Allocate(FileBytes);
        journal.ZeroFill(0, FileBytes);
        _files.Add(_platform.OpenFile(path, FileOpening.Existing, FileUse.Data));
    }

    /// <summary>One thread that writes until its time is over.</summary>
    private sealed class Writer
    {
        private readonly WriteMeasurement _owner;
        private readonly PalFile _file;
        private readonly WriteMode _mode;
        private readonly int _writeBytes;
        private readonly ManualResetEventSlim _start;
        private readonly TimeSpan _duration;
        private readonly CancellationToken _cancellationToken;
        private readonly Thread _thread;
        private readonly List<long> _samples = [];
        private long _slot;
        private Exception? _failure;

        internal Writer(
            WriteMeasurement owner, PalFile file, WriteMode mode, int writeBytes, int firstSlot,
            ManualResetEventSlim start, TimeSpan duration, CancellationToken cancellationToken)
        {
            _owner = owner;
            _file = file;
            _mode = mode;
            _writeBytes = writeBytes;
            _slot = firstSlot;
            _start = start;
            _duration = duration;
            _cancellationToken = cancellationToken;
            _thread = new Thread(WriteUntilDone) { IsBackground = true, Name = "bench-io" };
            _thread.Start();
        }

        internal long Writes { get; private set; }

        internal List<long> Samples => _samples;

        internal long SlowestTicks { get; private set; }

        internal void Wait()
        {
            _thread.Join();
            if (_failure != null)
            {
                throw new IOException($"Writing {_file.Path} failed: {_failure.Message}", _failure);
            }
        }

        private void WriteUntilDone()
        {
            try
            {
                _start.Wait();
                long end = Stopwatch.GetTimestamp() + (long)(_duration.TotalSeconds * Stopwatch.Frequency);
                long now = Stopwatch.GetTimestamp();
                do
                {
                    long begun = now;
                    WriteOnce();
                    now = Stopwatch.GetTimestamp();
                    Keep(now - begun);
                }
                while (now < end && !_cancellationToken.IsCancellationRequested);
            }
            catch (IOException exception)
            {
                _failure = exception;
            }
        }

        private void WriteOnce()
        {
            // Threads of one file start at different slots and take big steps, so that they rarely write the same
            // place.
            long slots = _owner.FileBytes / _writeBytes;
            long offset = _slot % slots * _writeBytes;
            _slot += 129;
            if (_mode == WriteMode.Durable)
            {
                _file.WriteJournal([new PalVector { Base = _owner._buffer, Length = _writeBytes }], offset);
                return;
            }

            _file.WritePages([new PalPageWrite { Base = _owner._buffer, Offset = offset, Length = _writeBytes }]);
            if (_mode == WriteMode.BufferedAndSync)
            {
                _file.Sync(SyncKind.Data);
            }
        }

        private void Keep(long ticks)
        {
            SlowestTicks = Math.Max(SlowestTicks, ticks);
            if (_samples.Count < SamplesMax)
            {
                _samples.Add(ticks);
            }
            else
            {
                _samples[(int)(Writes % SamplesMax)] = ticks;
            }

            Writes++;
        }
    }
}
