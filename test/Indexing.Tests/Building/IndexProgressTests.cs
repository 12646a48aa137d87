using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Tests.Building;

/// <summary>How far an index has read, as it is stored.</summary>
public sealed class IndexProgressTests
{
    private static readonly CounterSource s_counters = new();
    private static readonly CollectionSource s_users = new("users");

    // Its own source with a key that could be one of another kind.
    private static readonly IndexSources s_sources = new([s_users, new CollectionSource("values:x")], s_counters, [ValueSource.Instance, CollectionSource.All]);

    [Fact]
    public void Read_WhatWasWritten_IsTheSame()
    {
        IndexProgress progress = IndexProgress.None.WithBegan(new Etag(1)).WithMapped(s_users, new Etag(5)).WithMapped(s_sources.Mapped[1], new Etag(6))
            .WithMapped(s_counters, new Etag(7)).WithLoaded(ValueSource.Instance, new Etag(8)).WithLoaded(CollectionSource.All, new Etag(9))
            .WithPassed(new Etag(10)).WithPendingReference(new PendingReference("values", new Etag(11), [0, 1], [2]));
        IndexProgress read = IndexProgress.Read(progress.ToBytes(), s_sources);
        Assert.Equal(progress.ToString(), read.ToString());
        Assert.Equal([5, 6, 7], s_sources.Mapped.Select(source => read.OfMapped(source).Value));
        Assert.Equal([8, 9], s_sources.Loaded.Select(source => read.OfLoaded(source).Value));
        Assert.Equal(11, read.WithFollowed(read.PendingReference!).OfLoaded(ValueSource.Instance).Value);
        Assert.Null(read.WithFollowed(read.PendingReference!).PendingReference);
    }

    [Fact]
    public void Read_WhatFormatVersion2Wrote_HasTheSourcesOfItsNames()
    {
        IndexProgress read = Read("""
            {"documents":{"users":5,"values:x":6,"\u0000counters":7},"references":{"\u0000values":8,"":9},"began":1,"passed":10,
            "pending":"AAE=","pending after":"Ag==","pending collection":"\u0000values","pending etag":11}
            """);
        Assert.Equal([5, 6, 7], s_sources.Mapped.Select(source => read.OfMapped(source).Value));
        Assert.Equal([8, 9], s_sources.Loaded.Select(source => read.OfLoaded(source).Value));
        Assert.Equal((1, 10, 11), (read.Began.Value, read.Passed.Value, read.PendingReference!.Etag.Value));
        Assert.Equal(("values", 0, 1, 2), (read.PendingReference.Source, read.PendingReference.Loaded[0], read.PendingReference.Loaded[1],
            read.PendingReference.After[0]));
    }

    [Theory]
    [InlineData("""{"mapped":{"collection:users":5,"series:heart":3},"loaded":{},"passed":1}""", "'series'")]
    [InlineData("""{"mapped":{},"loaded":{"clocks":3},"passed":1}""", "'clocks'")]
    public void Read_OfAnUnknownSource_IsRefusedByName(string stored, string name) =>
        Assert.Contains(name, Assert.Throws<IndexDefinitionException>(() => Read(stored)).Message, StringComparison.Ordinal);

    // The program that built it found other collections in the same definition.
    [Fact]
    public void Read_OfAKnownSourceThatTheIndexDoesNotHave_IsNoMistake() =>
        Assert.False(Read("""{"mapped":{"collection:cities":5},"loaded":{"counters":1},"passed":1}""").IsNone);

    private static IndexProgress Read(string stored) => IndexProgress.Read(Encoding.UTF8.GetBytes(stored), s_sources);
}
