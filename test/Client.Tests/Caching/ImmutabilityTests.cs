using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Jackdaw.Client.Caching;

namespace Jackdaw.Client.Tests.Caching;

public sealed class ImmutabilityTests
{
    [Theory]
    [InlineData(typeof(Good))]
    [InlineData(typeof(GoodShape))]
    [InlineData(typeof(GoodClass))]
    public void Check_TypesThatCannotChange_Pass(Type type) => Immutability.Check(type);

    [Theory]
    [InlineData(typeof(WithSetter), "WithSetter.Name can be set")]
    [InlineData(typeof(WithField), "WithField.Count can be set")]
    [InlineData(typeof(WithPrivateField), "WithPrivateField._count can be set")]
    [InlineData(typeof(Derived), "Derived.Name can be set")]
    [InlineData(typeof(WithArray), "WithArray.Parts is an array")]
    [InlineData(typeof(WithList), "WithList.Parts is a List`1")]
    [InlineData(typeof(WithDictionary), "WithDictionary.Parts is a Dictionary`2")]
    [InlineData(typeof(WithInterface), "WithInterface.Parts is the interface IReadOnlyList`1")]
    [InlineData(typeof(WithObject), "WithObject.Part is an object")]
    [InlineData(typeof(WithDelegate), "WithDelegate.Part is a delegate")]
    [InlineData(typeof(WithMemory), "WithMemory.Part is a ReadOnlyMemory`1")]
    [InlineData(typeof(WithStruct), "WithStruct.Part.Count can be set")]
    [InlineData(typeof(Deep), "Deep.Lines[].Tags[] is an array")]
    [InlineData(typeof(BadShape), "BadShape(BadCircle).Radius can be set")]
    public void Check_TypesThatCanChange_NamesTheMember(Type type, string message) =>
        Assert.StartsWith(message, Assert.Throws<ArgumentException>(() => Immutability.Check(type)).Message, StringComparison.Ordinal);

    internal sealed record Good(
        string Id, int? Count, decimal Price, DateTimeOffset At, DayOfWeek Day, Guid Key,
        ImmutableArray<Part> Parts, FrozenDictionary<string, Part> ByName, Good? Parent)
    {
        public ImmutableDictionary<string, ImmutableList<int>> Numbers { get; init; } = ImmutableDictionary<string, ImmutableList<int>>.Empty;

    }

    internal readonly record struct Part(string Name, TimeSpan Duration);

    internal sealed class GoodClass(string name)
    {
        public string Name { get; } = name;

        public string Upper => Name.ToUpperInvariant();

        [JsonInclude]
        public required Uri Address { get; init; }
    }

    [JsonDerivedType(typeof(GoodCircle))]
    internal abstract record GoodShape;

    internal sealed record GoodCircle(double Radius) : GoodShape;

    internal class WithSetter
    {
        public string? Name { get; set; }
    }

    internal sealed class Derived : WithSetter;

    [SuppressMessage("Design", "CA1051", Justification = "What the test is about.")]
    internal sealed class WithField
    {
        public int Count = 1;
    }

    internal sealed class WithPrivateField
    {
        private int _count;

        public int Next() => ++_count;
    }

    internal sealed record WithArray(string[] Parts);

    internal sealed record WithList(List<string> Parts);

    internal sealed record WithDictionary(Dictionary<string, int> Parts);

    internal sealed record WithInterface(IReadOnlyList<string> Parts);

    internal sealed record WithObject(object Part);

    internal sealed record WithDelegate(Func<int> Part);

    internal sealed record WithMemory(ReadOnlyMemory<byte> Part);

    internal record struct Counter(int Count);

    internal sealed record WithStruct(Counter Part);

    internal sealed record Deep(ImmutableArray<Line> Lines);

    internal sealed record Line(ImmutableList<string[]> Tags);

    [JsonDerivedType(typeof(BadCircle))]
    internal abstract record BadShape;

    internal sealed record BadCircle : BadShape
    {
        public double Radius { get; set; }
    }
}
