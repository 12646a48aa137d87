using System.Buffers.Binary;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tests.Merging;

/// <summary>A command made of a delegate; counts how often it was executed.</summary>
internal sealed class DelegateCommand(Action<WriteTransaction> execute, int sizeBytes = 0) : WriteCommand
{
    public int Executions { get; private set; }

    public override int SizeBytes => sizeBytes;

    protected internal override void Execute(WriteTransaction transaction)
    {
        Executions++;
        execute(transaction);
    }
}

/// <summary>Counts one key up by one; the result is the number before.</summary>
internal sealed class CountCommand(byte[] key) : WriteCommand
{
    public const string TreeName = "counters";

    public long Before { get; private set; }

    public static long Read(ReadTransaction transaction, byte[] key)
    {
        BTree? tree = transaction.Trees.FindTree(TreeName);
        return tree is not null && tree.TryGet(key, out ReadOnlySpan<byte> value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value)
            : 0;
    }

    protected internal override void Execute(WriteTransaction transaction)
    {
        BTree tree = transaction.Trees.CreateTree(TreeName);
        Before = tree.TryGet(key, out ReadOnlySpan<byte> value) ? BinaryPrimitives.ReadInt64LittleEndian(value) : 0;
        BinaryPrimitives.WriteInt64LittleEndian(tree.Reserve(key, sizeof(long)), Before + 1);
    }
}
