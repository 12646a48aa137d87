using System.Collections;
using System.Linq.Expressions;
using System.Text;
using System.Text.Json;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Serialization;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using IndexDefinition = Jackdaw.Client.Indexes.IndexDefinition;

namespace Jackdaw.Client.Tests.Indexes;

/// <summary>Texts of expressions, compiled and run by the server's own compiler.</summary>
internal static class IndexHarness
{
    public static readonly DocumentConventions Conventions = new();
    public static readonly DocumentSerializer Serializer = new(Conventions);

    /// <summary>The text of a map, which the server has compiled.</summary>
    public static string Map<T>(Expression<Func<IEnumerable<T>, IEnumerable>> map) => Text(new TestIndex<T, T>(map)).Maps.Single();

    public static IndexDefinition Text(IAbstractIndexCreationTask task)
    {
        IndexDefinition definition = task.CreateIndexDefinition();
        Compile(definition).Dispose();
        return definition;
    }

    /// <summary>The text of one expression over a document, without that of the map around it; not compiled yet.</summary>
    public static string Of<T>(Expression<Func<T, object?>> expression, DocumentConventions? conventions = null)
    {
        string text = new TestIndex<T, Row>(MapOf(expression)) { Conventions = conventions }.CreateIndexDefinition().Maps.Single();
        int start = text.IndexOf("V0 = ", StringComparison.Ordinal) + 5;
        return text[start..^3];
    }

    public static IndexTranslationException Refused<T>(Expression<Func<T, object?>> expression, string fragment, string hint)
    {
        var refusal = Assert.Throws<IndexTranslationException>(() => Of(expression));
        Assert.Contains(refusal.Problems, problem =>
            problem.Fragment.Contains(fragment, StringComparison.Ordinal) && problem.Hint.Contains(hint, StringComparison.Ordinal));
        Assert.Contains("Index 'Test/Index': '", refusal.Message, StringComparison.Ordinal);
        return refusal;
    }

    public static Expression<Func<IEnumerable<T>, IEnumerable>> MapOf<T>(params Expression<Func<T, object?>>[] values)
    {
        ParameterExpression row = values[0].Parameters[0];
        MemberAssignment[] members = [.. values.Select((value, i) =>
            Expression.Bind(typeof(Row).GetProperty($"V{i}")!, new Renaming(value.Parameters[0], row).Visit(value.Body)))];
        LambdaExpression select = Expression.Lambda(Expression.MemberInit(Expression.New(typeof(Row)), members), row);
        ParameterExpression source = Expression.Parameter(typeof(IEnumerable<T>), "source");
        return Expression.Lambda<Func<IEnumerable<T>, IEnumerable>>(
            Expression.Call(typeof(Enumerable), "Select", [typeof(T), typeof(Row)], source, select), source);
    }

    public static CompiledDefinition Compile(IndexDefinition definition)
    {
        using JsonDocument json = JsonDocument.Parse(Json(definition));
        Jackdaw.Indexing.Definitions.Model.IndexDefinition read = IndexDefinitionReader.Read(json.RootElement);
        return CompiledDefinition.CompileAsync(read, default, CancellationToken.None).GetAwaiter().GetResult();
    }

    public static byte[] Json(IndexDefinition definition)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(output))
        {
            IndexDefinitionJson.Write(writer, definition);
        }

        return output.WrittenSpan.ToArray();
    }

    /// <summary>Values of expressions for a document, as JSON; what fails has a message instead.</summary>
    public static List<JsonElement> Run<T>(CompiledDefinition compiled, T document) where T : notnull
    {
        using MapRun run = compiled.BeginMap(new NoDocuments());
        byte[] text = JsonSerializer.SerializeToUtf8Bytes(document, Serializer.TypeInfo<T>());
        run.Begin(text, new DocumentOrigin("samples/1", "Samples", "A:1", null, 0));
        Assert.True(run.MoveNext());
        List<JsonElement> values = [];
        foreach (Value value in run.Current.Values)
        {
            values.Add(JsonDocument.Parse(value.IsMissing ? "null" : value.ToJson()).RootElement);
        }

        return values;
    }

    /// <summary>Compiles the expressions as fields of one map, and compares their values with those of C#. What throws in C# is not compared.</summary>
    public static void GivesSameValues<T>(Expression<Func<T, object?>>[] expressions, params T[] documents) where T : notnull
    {
        IndexDefinition definition = new TestIndex<T, Row>(MapOf(expressions)).CreateIndexDefinition();
        using CompiledDefinition compiled = Compile(definition);
        Func<T, object?>[] functions = [.. expressions.Select(expression => expression.Compile())];
        foreach (T document in documents)
        {
            JsonElement?[] wanted = [.. functions.Select(function => ValueOf(() => function(document)))];
            List<JsonElement> values = Run(compiled, document);
            for (int i = 0; i < wanted.Length; i++)
            {
                Assert.True(wanted[i] is not { } value || AreEqual(value, values[i]),
                    $"{expressions[i].Body} gives {wanted[i]}, and {Of(expressions[i])} gives {values[i]}");
            }
        }
    }

    private static JsonElement? ValueOf(Func<object?> compute)
    {
        try
        {
            return JsonSerializer.SerializeToElement(compute(), Serializer.Options);
        }
        catch (Exception failed) when (failed is NullReferenceException or InvalidOperationException or ArgumentException or ArithmeticException
            or FormatException)
        {
            return null;
        }
    }

    // Numbers up to the last digits of a double, times in any form; objects by the members that the server gives.
    private static bool AreEqual(JsonElement wanted, JsonElement value)
    {
        switch (wanted.ValueKind)
        {
            case JsonValueKind.Number when value.ValueKind == JsonValueKind.Number:
                return Math.Abs(wanted.GetDouble() - value.GetDouble()) <= 1e-12 * Math.Max(1, Math.Abs(wanted.GetDouble()));
            case JsonValueKind.String when value.ValueKind == JsonValueKind.String:
                return wanted.GetString() == value.GetString()
                    || (wanted.TryGetDateTime(out DateTime a) && value.TryGetDateTime(out DateTime b) && a == b);
            case JsonValueKind.Array when value.ValueKind == JsonValueKind.Array:
                return wanted.GetArrayLength() == value.GetArrayLength() && wanted.EnumerateArray().Zip(value.EnumerateArray())
                    .All(both => AreEqual(both.First, both.Second));
            case JsonValueKind.Object when value.ValueKind == JsonValueKind.Object:
                return value.EnumerateObject().All(member => wanted.TryGetProperty(member.Name, out JsonElement other) && AreEqual(other, member.Value));
            default:
                return wanted.ValueKind == value.ValueKind;
        }
    }

    private sealed class NoDocuments : Jackdaw.Indexing.Definitions.Rows.IDocumentLoader
    {
        public bool TryLoad(string id, string? collection, DocumentText destination)
        {
            if (id != "firms/1")
            {
                return false;
            }

            destination.Read(Encoding.UTF8.GetBytes("""{"Name":"Acme"}"""), new DocumentOrigin(id, collection));
            return true;
        }
    }

    private sealed class Renaming(ParameterExpression from, ParameterExpression to) : ExpressionVisitor
    {
        protected override Expression VisitParameter(ParameterExpression node) => node == from ? to : node;
    }
}
