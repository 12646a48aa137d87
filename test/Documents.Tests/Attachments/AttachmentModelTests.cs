using System.Security.Cryptography;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Compaction;

namespace Jackdaw.Documents.Tests.Attachments;

/// <summary>Random batches of commands about documents and attachments against dictionaries, with readers, reopening and compaction.</summary>
public sealed class AttachmentModelTests
{
    private const int Steps = 250;

    // By hash: a command that went through chunks does not hold its bytes any more.
    private static readonly System.Collections.Concurrent.ConcurrentDictionary<string, byte[]> s_sent = new();

    private static readonly string[] s_names = ["a", "A", "b.txt", "ünï", "C d"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public Task RandomBatches_AgainstTheModel_AreTheSame(int seed) => RunAsync(seed, Steps);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(100)]
    public async Task ManyRandomBatches_AgainstTheModel_AreTheSame(int seeds)
    {
        for (int seed = 1000; seed < 1000 + seeds; seed++)
        {
            await RunAsync(seed, 500);
        }
    }

    private static async Task RunAsync(int seed, int steps)
    {
        var random = new Random(seed);
        var platform = new MemoryPlatform();
        string databaseId = DocumentDatabase.MakeDatabaseId();
        DocumentDatabase database = AttachmentBed.Open(platform, databaseId);
        var model = new Model();
        var open = new List<(ContentReader Reader, byte[] Expected)>();
        try
        {
            for (int step = 0; step < steps; step++)
            {
                string what = $"seed {seed}, step {step}";
                model = await StepAsync(database, model, random, what);
                UseReaders(database, model, open, random, what);
                if (step % 50 == 49)
                {
                    open.ForEach(one => one.Reader.Dispose());
                    open.Clear();
                    await AttachmentBed.CollectAsync(database);
                    AttachmentBed.Check(database, what);
                    await database.DisposeAsync();
                    if (random.Next(2) == 0)
                    {
                        StorageCompaction.Run(platform, "/db", DatabaseSchemas.Standard);
                    }

                    database = AttachmentBed.Open(platform, databaseId);
                    Compare(database, model, what);
                }
            }
        }
        finally
        {
            await database.DisposeAsync();
        }
    }

    private static async Task<Model> StepAsync(DocumentDatabase database, Model before, Random random, string what)
    {
        Model model = before.Copy();
        var commands = new List<DocumentCommand>();
        var receivers = new List<ContentReceiver>();
        bool isRefused = false;
        for (int i = random.Next(1, 5); i > 0; i--)
        {
            commands.Add(await MakeAsync(database, before, random, receivers));
            isRefused = isRefused || !model.TryApply(commands[^1]);
        }

        WriteOutcome outcome = await AttachmentBed.WriteAsync(database, [.. commands]);
        foreach (ContentReceiver receiver in receivers)
        {
            await receiver.DisposeAsync();
        }

        string all = string.Join(", ", commands.Select(command => $"{command.GetType().Name} {Encoding.UTF8.GetString(command.Key.Span)}"));
        Assert.True((outcome.Status == WriteStatus.Conflict) == isRefused, $"{what}: {outcome.Status}, refused {isRefused}: {all}");
        if (isRefused)
        {
            return before;
        }

        model.LearnVersions(database);
        Compare(database, model, $"{what}: {all}");
        return model;
    }

    private static async Task<DocumentCommand> MakeAsync(DocumentDatabase database, Model model, Random random, List<ContentReceiver> receivers)
    {
        string id = $"{(random.Next(2) == 0 ? "docs" : "Docs")}/{random.Next(6)}";
        string name = s_names[random.Next(s_names.Length)];
        switch (random.Next(14))
        {
            case < 3:
                return TestCommands.Put(id, TestCommands.Json(random.Next(2) == 0 ? "A" : "B", random.Next(100)));
            case 3:
                return random.Next(5) == 0 ? TestCommands.DeletePrefix("docs/1") : TestCommands.Delete(id);
            case 4 or 5:
                return Demand(AttachmentBed.About<DeleteAttachmentCommand>(id, name), model, random);
            case 6 or 7:
                return Demand(AttachmentBed.About<CopyAttachmentCommand>(id, name), model, random).To($"docs/{random.Next(6)}", s_names[random.Next(5)]);
            case 8 or 9:
                return Demand(AttachmentBed.About<MoveAttachmentCommand>(id, name), model, random).To($"docs/{random.Next(6)}", s_names[random.Next(5)]);
            default:
                return Demand(await MakePutAsync(database, id, name, random, receivers), model, random);
        }
    }

    private static async Task<PutAttachmentCommand> MakePutAsync(
        DocumentDatabase database, string id, string name, Random random, List<ContentReceiver> receivers)
    {
        byte[] bytes = new byte[random.Next(20) switch
        {
            0 => random.Next(3 * AttachmentLimits.ChunkBytes),
            1 => AttachmentLimits.ChunkBytes * random.Next(1, 3),
            2 or 3 => 0,
            _ => random.Next(1, 5000),
        }];
        new Random(random.Next(4)).NextBytes(bytes); // few different ones of each length
        bytes = random.Next(3) == 0 ? bytes[..Math.Min(bytes.Length, random.Next(3))] : bytes;
        s_sent[Convert.ToBase64String(SHA256.HashData(bytes))] = bytes;
        PutAttachmentCommand put = AttachmentBed.Put(id, name, bytes, random.Next(2) == 0 ? "" : "text/plain");
        if (random.Next(2) == 0 || bytes.Length > AttachmentLimits.ChunkBytes)
        {
            ContentReceiver receiver = AttachmentBed.NewReceiver(database);
            receivers.Add(receiver);
            await receiver.AppendAsync(bytes, CancellationToken.None);
            put.Content = await receiver.FinishAsync(random.Next(2) * AttachmentLimits.ChunkBytes, CancellationToken.None);
            Assert.Equal(SHA256.HashData(bytes), put.Content.Hash);
        }

        return put;
    }

    private static TCommand Demand<TCommand>(TCommand command, Model model, Random random)
        where TCommand : AttachmentCommand
    {
        command.ChangeVectorText = random.Next(8) switch
        {
            0 => "",
            1 => model.Versions.GetValueOrDefault(Key(command)),
            2 => model.Versions.Values.FirstOrDefault(),
            _ => null,
        };
        return command;
    }

    private static void UseReaders(
        DocumentDatabase database, Model model, List<(ContentReader Reader, byte[] Expected)> open, Random random, string what)
    {
        if (open.Count < 4 && model.Attachments.Count > 0)
        {
            (string key, byte[] bytes) = model.Attachments.ElementAt(random.Next(model.Attachments.Count));
            open.Add((ContentReader.Open(() => database.BeginRead(), database.ContentHolds, Encoding.UTF8.GetBytes(key))!, bytes));
        }
        else if (open.Count > 0)
        {
            // Whatever became of the attachment meanwhile.
            (ContentReader reader, byte[] expected) = open[0];
            Assert.True(AttachmentBed.Read(reader).AsSpan().SequenceEqual(expected), what);
            reader.Dispose();
            open.RemoveAt(0);
        }
    }

    private static void Compare(DocumentDatabase database, Model model, string what)
    {
        using DocumentReadScope read = database.BeginRead();
        Assert.True(AttachmentTable.Open(read.Transaction).Count == model.Attachments.Count, $"{what}: another number of attachments");
        Assert.Equal(model.Documents.Count, read.Counts.Documents);
        foreach ((string key, byte[] bytes) in model.Attachments)
        {
            Attachment? found = ContentReader.Find(read, Encoding.UTF8.GetBytes(key));
            Assert.True(found is not null && found.Size == bytes.Length && found.Hash.AsSpan().SequenceEqual(SHA256.HashData(bytes)), $"{what}: {key}");
        }
    }

    private static string Key(DocumentCommand command) => Encoding.UTF8.GetString(command.Key.Span);

    /// <summary>What must be there, by keys.</summary>
    private sealed class Model
    {
        public HashSet<string> Documents { get; private init; } = [];

        public SortedDictionary<string, byte[]> Attachments { get; private init; } = new(StringComparer.Ordinal);

        /// <summary>Change vectors, as of the last batch; those of later ones are not known in advance.</summary>
        public Dictionary<string, string> Versions { get; private init; } = [];

        public Model Copy() => new()
        {
            Documents = [.. Documents],
            Attachments = new SortedDictionary<string, byte[]>(Attachments, StringComparer.Ordinal),
            Versions = new Dictionary<string, string>(Versions),
        };

        /// <summary>False: the batch must be refused.</summary>
        public bool TryApply(DocumentCommand command)
        {
            string key = Key(command);
            switch (command)
            {
                case PutCommand:
                    Documents.Add(key);
                    return true;
                case DeleteCommand:
                    RemoveDocuments(document => document == key);
                    return true;
                case DeletePrefixCommand:
                    RemoveDocuments(document => document.StartsWith(key, StringComparison.Ordinal));
                    return true;
                default:
                    return TryApply((AttachmentCommand)command, key);
            }
        }

        public void LearnVersions(DocumentDatabase database)
        {
            using DocumentReadScope read = database.BeginRead();
            Versions.Clear();
            foreach (string key in Attachments.Keys)
            {
                Versions[key] = database.Replica.TextOf(ContentReader.Find(read, Encoding.UTF8.GetBytes(key))!.Version);
            }
        }

        private bool TryApply(AttachmentCommand command, string key)
        {
            string document = Encoding.UTF8.GetString(command.DocumentKey);
            if (command is not DeleteAttachmentCommand && !Documents.Contains(document))
            {
                return false;
            }

            if (command is TransferAttachmentCommand transfer && !Documents.Contains(Lower(transfer.DestinationId)))
            {
                return false;
            }

            if (command.ChangeVectorText is { } demanded && demanded != Versions.GetValueOrDefault(key, ""))
            {
                return false;
            }

            return TryWrite(command, key);
        }

        private bool TryWrite(AttachmentCommand command, string key)
        {
            switch (command)
            {
                case DeleteAttachmentCommand:
                    Remove(key);
                    return true;
                case TransferAttachmentCommand transfer:
                    if (!Attachments.TryGetValue(key, out byte[]? bytes))
                    {
                        return false;
                    }

                    string place = $"{Lower(transfer.DestinationId)}\0{Lower(transfer.DestinationName)}";
                    if (Attachments.ContainsKey(place) && !(transfer is MoveAttachmentCommand && place == key))
                    {
                        return false;
                    }

                    if (transfer is MoveAttachmentCommand)
                    {
                        Remove(key);
                    }

                    Set(place, bytes);
                    return true;
                default:
                    Set(key, BytesOf((PutAttachmentCommand)command));
                    return true;
            }
        }

        // A version that is made within the batch equals none that a client can name.
        private void Set(string key, byte[] bytes) => (Attachments[key], Versions[key]) = (bytes, "new");

        private void Remove(string key)
        {
            Attachments.Remove(key);
            Versions.Remove(key);
        }

        private void RemoveDocuments(Func<string, bool> isMeant)
        {
            foreach (string document in Documents.Where(isMeant).ToArray())
            {
                Documents.Remove(document);
                foreach (string key in Attachments.Keys.Where(key => key.StartsWith(document + '\0', StringComparison.Ordinal)).ToArray())
                {
                    Remove(key);
                }
            }
        }

        private static byte[] BytesOf(PutAttachmentCommand put) => s_sent[Convert.ToBase64String(put.Content!.Hash)];

        private static string Lower(byte[] text) => Encoding.UTF8.GetString(text).ToLowerInvariant();
    }
}
