using System.Globalization;
using System.Reflection;
using Jackdaw.Json.Paths;

namespace Jackdaw.Json.Tests.Paths;

/// <summary>The computed members are those of .NET, listed by reflection, so that none is forgotten.</summary>
public sealed class ComputedMembersTests
{
    /// <summary>Members that depend on the machine, or that no JSON text has.</summary>
    private static readonly string[] s_leftOut = ["Kind", "LocalDateTime", "Offset", "DateTime", "UtcDateTime", "UtcTicks", "TotalOffsetMinutes"];

    [Theory]
    [InlineData("1998-05-06")]
    [InlineData("2024-02-29T23:59:59.1234567")]
    [InlineData("2024-02-29T23:59:59.1234567Z")]
    [InlineData("0001-01-01T00:00:00")]
    public void OfText_Date_HasAllMembersOfDateTimeAndDateOnly(string text)
    {
        DateTime date = DateTime.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal);
        Compare(date, text);
        Compare(DateOnly.FromDateTime(date), text);
        Compare(new DateTimeOffset(date.Ticks, TimeSpan.Zero), text, leftOut: "Date"); // It has no kind there.
    }

    [Theory]
    [InlineData("07:08:09")]
    [InlineData("23:59:59.9999999")]
    [InlineData("00:00:00")]
    public void OfText_TimeOfDay_HasAllMembersOfTimeOnlyAndTimeSpan(string text)
    {
        Compare(TimeOnly.Parse(text, CultureInfo.InvariantCulture), text);
        Compare(TimeSpan.Parse(text, CultureInfo.InvariantCulture), text);
    }

    [Theory]
    [InlineData("1.02:03:04.5000001")]
    [InlineData("-1.02:03:04")]
    [InlineData("10675199.02:48:05.4775807")]
    public void OfText_Duration_HasAllMembersOfTimeSpan(string text)
    {
        Compare(TimeSpan.Parse(text, CultureInfo.InvariantCulture), text);
        Assert.Equal(ComputedKind.None, ComputedMembers.OfText(text, "Hour").Kind);
    }

    [Fact]
    public void OfText_AnyOther_HasItsLengthOnly() => Assert.All(ComputedMembers.Names, name => Assert.Equal(
        name == "Length" ? ComputedMember.Of(5) : default, ComputedMembers.OfText("a \U0001F600 ", name)));

    private static void Compare(object value, string text, string leftOut = "")
    {
        foreach (PropertyInfo property in value.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            if (!s_leftOut.Append(leftOut).Contains(property.Name))
            {
                Assert.True(ComputedMembers.IsKnown(property.Name), property.Name);
                Assert.Equal(property.Name + " " + Of(property.GetValue(value)!), property.Name + " " + ComputedMembers.OfText(text, property.Name));
            }
        }
    }

    private static ComputedMember Of(object value) => value switch
    {
        int number => ComputedMember.Of(number),
        long number => ComputedMember.Of(number),
        double number => ComputedMember.Of(number),
        DateTime date => ComputedMember.Of(date),
        TimeSpan time => ComputedMember.Of(time),
        _ => ComputedMember.Of(value.ToString()!),
    };
}
