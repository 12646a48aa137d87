using System.Text;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tests.Trees;

/// <summary>Random scripts against a sorted dictionary. A failure names its seed and step: run it again by that
/// InlineData.</summary>
public sealed class BTreeModelTests
{
    private const int Steps = 6000;
    private const int StepsPerCheck = 1500;

    /// <summary>Key and value sizes, drawn per operation.</summary>
    public enum Sizes
    {
        Small,
        Mixed,
        Largest,
        Overflowing,
        SharedPrefix,
    }

    [Theory]
    [InlineData(Sizes.Small, 1)]
    [InlineData(Sizes.Small, 2)]
    [InlineData(Sizes.Mixed, 3)]
    [InlineData(Sizes.Mixed, 4)]
    [InlineData(Sizes.Mixed, 5)]
    [InlineData(Sizes.Largest, 6)]
    [InlineData(Sizes.Largest, 7)]
    [InlineData(Sizes.Overflowing, 8)]
    [InlineData(Sizes.SharedPrefix, 9)]
    [InlineData(Sizes.SharedPrefix, 10)]
    public void Tree_RandomScript_TellsTheSameAsTheModel(Sizes sizes, int seed)
    {
        var random = new Random(seed);
        using var model = new TreeModel();
        int step = 0;
        try
        {
            for (; step < Steps; step++)
            {
                // Growing and shrinking phases, so that merges and the way back to an empty tree are met.
                bool shrinks = step / 1000 % 3 == 2;
                Step(model, random, sizes, shrinks);
                if (step % StepsPerCheck == 0)
                {
                    model.Check();
                }
            }

            model.Check();
            DeleteAll(model, random);
        }
        catch (Exception failure)
        {
            Assert.Fail($"seed {seed}, {sizes}, step {step}: {failure}");
        }
    }

    private static void Step(TreeModel model, Random random, Sizes sizes, bool shrinks)
    {
        int choice = random.Next(100);
        byte[] key = random.Next(3) != 0 && model.KnownKeys.Count > 0 && (shrinks || random.Next(3) == 0)
            ? model.KnownKeys[random.Next(model.KnownKeys.Count)]
            : Key(random, sizes);
        if (random.Next(shrinks ? 60 : 300) == 0)
        {
            byte[] prefix = key[..random.Next(key.Length + 1)];
            model.DeletePrefix(prefix, 1L << random.Next(20));
        }
        else if (choice < (shrinks ? 75 : 20))
        {
            model.Delete(key);
        }
        else if (choice < 80)
        {
            model.Put(key, Value(random, sizes));
        }
        else if (choice < 90)
        {
            model.PutReserved(key, Value(random, sizes));
        }
        else if (choice < 97)
        {
            model.Get(key);
        }
        else if (choice < 98)
        {
            model.CheckSeek(key);
        }
        else
        {
            model.EndTransaction();
        }
    }

    private static void DeleteAll(TreeModel model, Random random)
    {
        byte[][] keys = [.. model.KnownKeys];
        random.Shuffle(keys);
        for (int i = 0; i < keys.Length; i++)
        {
            model.Delete(keys[i]);
            if (i % 500 == 0)
            {
                model.Verify();
            }
        }

        Assert.Equal(0, model.Count);
        Assert.Empty(model.Pages.UsedPages);
        Assert.Equal(BTree.EmptyHeader(model.Tree.Header.OwnerTag), model.Tree.Header);
    }

    private static byte[] Key(Random random, Sizes sizes)
    {
        if (sizes == Sizes.SharedPrefix)
        {
            return Encoding.UTF8.GetBytes($"collections/orders/{random.Next(3)}/orders/{random.Next(5000)}");
        }

        int length = sizes switch
        {
            Sizes.Small => random.Next(0, 12),
            Sizes.Largest => BTree.KeyBytesMax - (random.Next(2) * random.Next(1, 9)),
            _ => random.Next(4) == 0 ? random.Next(0, BTree.KeyBytesMax + 1) : random.Next(0, 40),
        };

        // A small alphabet at the start makes prefixes of each other and near neighbours likely.
        byte[] key = new byte[length];
        for (int i = 0; i < length; i++)
        {
            key[i] = i < 6 ? (byte)(random.Next(8) == 0 ? 255 : random.Next(4)) : (byte)i;
        }

        return key;
    }

    private static byte[] Value(Random random, Sizes sizes)
    {
        int length = sizes switch
        {
            Sizes.Small => random.Next(0, 100),
            Sizes.Largest => random.Next(BTree.InlineValueBytesMax - 2, BTree.InlineValueBytesMax + 2),
            Sizes.Overflowing => random.Next(3) == 0 ? random.Next(0, 2000) : random.Next(1900, 60_000),
            _ => random.Next(10) == 0 ? random.Next(0, 9000) : random.Next(0, 300),
        };
        byte[] value = new byte[length];
        random.NextBytes(value);
        return value;
    }
}
