using System.Linq.Expressions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Rql;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Paths of properties: <c>order => order.Lines.Select(line => line.Product)</c> is <c>Lines[].Product</c>.</summary>
internal static class IncludePath
{
    /// <param name="names">Knows the names in documents.</param>
    /// <exception cref="ArgumentException">The expression is not a path of properties.</exception>
    public static string Of(LambdaExpression path, IQueryRunner names) => Find(path, names).Text;

    /// <summary>The member of the document in a script: <c>this.Ship.City</c>.</summary>
    /// <inheritdoc cref="Of"/>
    public static string ScriptOf(LambdaExpression path, IQueryRunner names) => Find(path, names) is { IsOfEach: false } found
        ? found.Steps.Aggregate("this", (text, step) => text + (step.Name is { } name ? RqlNames.ScriptMember(name) : $"[{step.Position}]"))
        : throw new ArgumentException($"'{path}' names all elements of a list, and a patch changes one member.", nameof(path));

    private static RqlPath Find(LambdaExpression path, IQueryRunner names)
    {
        var fields = new FieldResolver(new TranslationContext(names.Conventions, names.Serializer));
        fields.Bind(path.Parameters[0], new RqlPath([], path.Parameters[0].Type));
        return fields.TryFind(path.Body) is { IsDocument: false, IsId: false } found
            ? found
            : throw new ArgumentException(
                $"'{path}' is not a path of properties: use order => order.Company or order => order.Lines.Select(line => line.Product).", nameof(path));
    }

    /// <summary>The parameter of a load that includes documents.</summary>
    public static string ParameterOf(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return $"include={Uri.EscapeDataString(path)}";
    }
}
