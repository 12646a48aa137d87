using Jackdaw.Client.Caching;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Caching;

public sealed class ChangeTableTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(2, 1)]
    [InlineData(6, 2)]
    [InlineData(ChangeTable.UsualSlotBits, 3)]
    public void FirstChange_RandomMarks_NeverMissedAndNeverTooLate(int slotBits, int seed)
    {
        var random = new Random(seed);
        var table = new ChangeTable(slotBits);
        var marks = new List<(AnswerTag Tag, long Stamp)>();
        AnswerTag[] tags = [.. Enumerable.Range(0, 200).Select(i => AnswerTag.Document("users/" + i))];
        for (long stamp = 1; stamp <= 3_000; stamp++)
        {
            AnswerTag changed = tags[random.Next(tags.Length)];
            if (random.Next(100) == 0)
            {
                table.MarkAll(stamp);
                marks.AddRange(tags.Select(tag => (tag, stamp)));
            }
            else
            {
                table.Mark(changed, stamp);
                marks.Add((changed, stamp));
            }

            AnswerTag asked = tags[random.Next(tags.Length)];
            long since = Math.Max(0, stamp - random.Next(300));
            long expected = marks.Where(mark => mark.Tag == asked && mark.Stamp > since).Select(mark => mark.Stamp).DefaultIfEmpty(ChangeTable.Never).First();
            long found = table.FirstChange([asked], since);
            Assert.True(found <= expected && found >= since, $"seed {seed}, stamp {stamp}: first change since {since} is {expected}, found {found}");
        }
    }

    [Fact]
    public void FirstChange_OneChange_IsItsStamp()
    {
        var table = new ChangeTable(ChangeTable.UsualSlotBits);
        table.Mark(AnswerTag.Document("users/1"), 10);
        table.Mark(AnswerTag.Document("users/1"), 20);
        Assert.Equal(20, table.FirstChange([AnswerTag.Document("USERS/1")], 15));
        Assert.Equal(5, table.FirstChange([AnswerTag.Document("users/1")], 5));
        Assert.Equal(ChangeTable.Never, table.FirstChange([AnswerTag.Document("users/1")], 20));
    }

    [Fact]
    public void FirstChange_AfterAThousandOthers_IsRarelySeenInVain()
    {
        var table = new ChangeTable(ChangeTable.UsualSlotBits);
        for (int i = 0; i < 1_000; i++)
        {
            table.Mark(AnswerTag.Document("changed/" + i), i + 1);
        }

        int inVain = Enumerable.Range(0, 10_000).Count(i => table.FirstChange([AnswerTag.Document("same/" + i)], 0) != ChangeTable.Never);
        output.WriteLine($"{inVain} of 10,000");
        Assert.InRange(inVain, 0, 40); // 9 expected
    }
}
