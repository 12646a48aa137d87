using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Tests.Linq;

namespace Jackdaw.Client.Tests.DocumentQueries;

/// <summary>Calls in an order that means nothing, and fields that are none, are told with what to do instead.</summary>
public sealed class DocumentQueryMistakeTests
{
    private static IDocumentQuery<User> Users => Golden.Users.ToDocumentQuery();

    [Fact]
    public void Calls_OutOfOrder_SayWhatIsMissing()
    {
        Says<InvalidOperationException>("put a condition after it", () => Users.WhereEquals("A", 1).OrElse().ToRql());
        Says<InvalidOperationException>("put a condition after it", () => Users.Not.ToRql());
        Says<InvalidOperationException>("put a condition between them", () => Users.WhereEquals("A", 1).OrElse().AndAlso());
        Says<InvalidOperationException>("put a condition before it", () => Users.OpenSubclause().OrElse());
        Says<InvalidOperationException>("without an OpenSubclause", () => Users.CloseSubclause());
        Says<InvalidOperationException>("no condition between", () => Users.OpenSubclause().CloseSubclause());
        Says<InvalidOperationException>("without CloseSubclause", () => Users.OpenSubclause().WhereEquals("A", 1).ToRql());
        Says<InvalidOperationException>("before the first condition", () => Users.WhereEquals("A", 1).UsingDefaultOperator(QueryOperator.Or));
        Says<InvalidOperationException>("after a condition", () => Users.Boost(2));
        Says<InvalidOperationException>("after WhereEquals", () => Users.WhereExists("A").Fuzzy(0.5m));
        Says<InvalidOperationException>("after Search", () => Users.WhereEquals("A", 1).Proximity(2));
        Says<InvalidOperationException>("between two conditions", () => Users.Intersect());
        Says<InvalidOperationException>("put one after it", () => Users.WhereEquals("A", 1).Intersect().ToRql());
        Says<InvalidOperationException>("call GroupBy first", () => Users.SelectCount());
        Says<QueryTranslationException>("no condition before it", () => Users.OrElse().WhereEquals("A", 1).ToRql());
    }

    [Fact]
    public void Arguments_ThatAreNone_AreRefusedAtOnce()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => Users.WhereEquals("A", 1).Boost(0));
        Assert.Throws<ArgumentOutOfRangeException>(() => Users.WhereEquals("A", 1).Fuzzy(2));
        Assert.Throws<ArgumentOutOfRangeException>(() => Users.Search("A", "b c").Proximity(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => Users.Take(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => Users.Skip(-1));
        Assert.Throws<ArgumentNullException>(() => Users.Search("A", null!));
        Assert.Throws<ArgumentNullException>(() => Users.WhereIn<string>("A", null!));
        Assert.Throws<ArgumentNullException>(() => Users.WhereEquals<int>(null!, 1));
        Says<ArgumentException>("selects nothing", () => Users.SelectFields<UserRow>([]));
        Says<ArgumentException>("Lines[].Product", () => Users.WhereEquals("A..B", 1));
    }

    [Fact]
    public void Fields_ThatAreNone_AreRefusedWithARewrite()
    {
        Says<QueryTranslationException>("Compute the value in an index", () => Users.WhereEquals(u => u.Age + 1, 5).ToRql());
        Says<QueryTranslationException>("Compute the value in an index", () => Users.OrderBy(u => u.Name!.Trim()).ToRql());
        Says<QueryTranslationException>("Search in a field", () => Golden.Users.Search(u => u.Name + "x", "a").ToRql());
        Says<QueryTranslationException>("part of a query", () => Users.WhereEquals("A", (object)new Action(() => { })).ToRql());
        Says<QueryTranslationException>("Put Skip and Take after it", () => Golden.Users.Take(5).ToDocumentQuery().WhereEquals("A", 1).ToRql());
    }

    private static void Says<TException>(string text, Func<object> call)
        where TException : Exception
    {
        TException mistake = Assert.ThrowsAny<TException>(() => call());
        Assert.Contains(text, mistake.Message, StringComparison.Ordinal);
    }
}
