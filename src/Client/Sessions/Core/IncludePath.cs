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
    public static string Of(LambdaExpression path, IQueryRunner names)
    {
        var fields = new FieldResolver(new TranslationContext(names.Conventions, names.Serializer));
        fields.Bind(path.Parameters[0], new RqlPath([], path.Parameters[0].Type));
        return fields.TryFind(path.Body) is { IsDocument: false, IsId: false } found
            ? found.Name
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
