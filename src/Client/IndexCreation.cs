using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Operations.Indexes;

namespace Jackdaw.Client;

/// <summary>Creates the indexes that classes of the program define.</summary>
public static class IndexCreation
{
    /// <summary>Creates the index of a class, or changes it.</summary>
    /// <param name="database">Null: that of the store.</param>
    /// <exception cref="Exceptions.IndexTranslationException">The definition has expressions that the server cannot compile.</exception>
    /// <exception cref="Exceptions.IndexCompilationException">The server cannot compile the definition.</exception>
    public static void Execute(this IAbstractIndexCreationTask task, IDocumentStore store, DocumentConventions? conventions = null, string? database = null) =>
        CreateIndexes([task], store, conventions, database);

    /// <inheritdoc cref="Execute"/>
    public static Task ExecuteAsync(
        this IAbstractIndexCreationTask task, IDocumentStore store, DocumentConventions? conventions = null, string? database = null,
        CancellationToken token = default) => CreateIndexesAsync([task], store, conventions, database, token);

    /// <inheritdoc cref="Execute"/>
    public static void ExecuteIndex(this IDocumentStore store, IAbstractIndexCreationTask task, string? database = null) =>
        CreateIndexes([task], store, null, database);

    /// <inheritdoc cref="Execute"/>
    public static Task ExecuteIndexAsync(
        this IDocumentStore store, IAbstractIndexCreationTask task, string? database = null, CancellationToken token = default) =>
        CreateIndexesAsync([task], store, null, database, token);

    /// <summary>Creates the indexes of classes by one request. Either all of them are created, or none if one has a mistake.</summary>
    /// <inheritdoc cref="Execute"/>
    public static void ExecuteIndexes(this IDocumentStore store, IEnumerable<IAbstractIndexCreationTask> tasks, string? database = null) =>
        CreateIndexes(tasks, store, null, database);

    /// <inheritdoc cref="ExecuteIndexes"/>
    public static Task ExecuteIndexesAsync(
        this IDocumentStore store, IEnumerable<IAbstractIndexCreationTask> tasks, string? database = null, CancellationToken token = default) =>
        CreateIndexesAsync(tasks, store, null, database, token);

    /// <inheritdoc cref="ExecuteIndexes"/>
    /// <param name="conventions">How types become documents; null: those of the store.</param>
    public static void CreateIndexes(
        IEnumerable<IAbstractIndexCreationTask> tasks, IDocumentStore store, DocumentConventions? conventions = null, string? database = null)
    {
        if (Put(tasks, store, conventions) is { } put)
        {
            (database is null ? store.Maintenance : store.Maintenance.ForDatabase(database)).Send(put);
        }
    }

    /// <inheritdoc cref="CreateIndexes(IEnumerable{IAbstractIndexCreationTask}, IDocumentStore, DocumentConventions, string)"/>
    public static async Task CreateIndexesAsync(
        IEnumerable<IAbstractIndexCreationTask> tasks, IDocumentStore store, DocumentConventions? conventions = null, string? database = null,
        CancellationToken token = default)
    {
        if (Put(tasks, store, conventions) is { } put)
        {
            await (database is null ? store.Maintenance : store.Maintenance.ForDatabase(database)).SendAsync(put, token).ConfigureAwait(false);
        }
    }

    /// <summary>Creates the indexes of all classes of an assembly that have a constructor without parameters, are not abstract, and have no
    /// <see cref="SkipIndexCreationAttribute"/>.</summary>
    [RequiresUnreferencedCode("Classes that nothing else uses may be gone: give the definitions themselves.")]
    public static void CreateIndexes(Assembly assembly, IDocumentStore store, DocumentConventions? conventions = null, string? database = null) =>
        CreateIndexes(IndexesOf(assembly), store, conventions, database);

    /// <inheritdoc cref="CreateIndexes(Assembly, IDocumentStore, DocumentConventions, string)"/>
    [RequiresUnreferencedCode("Classes that nothing else uses may be gone: give the definitions themselves.")]
    public static Task CreateIndexesAsync(
        Assembly assembly, IDocumentStore store, DocumentConventions? conventions = null, string? database = null, CancellationToken token = default) =>
        CreateIndexesAsync(IndexesOf(assembly), store, conventions, database, token);

    private static PutIndexesOperation? Put(IEnumerable<IAbstractIndexCreationTask> tasks, IDocumentStore store, DocumentConventions? conventions)
    {
        ArgumentNullException.ThrowIfNull(tasks);
        ArgumentNullException.ThrowIfNull(store);
        IndexDefinition[] definitions = [.. tasks.Select(task => Define(task, conventions ?? store.Conventions))];
        return definitions.Length == 0 ? null : new PutIndexesOperation(definitions);
    }

    // The task keeps its own conventions, so that it can also be created in another store.
    private static IndexDefinition Define(IAbstractIndexCreationTask task, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(task);
        DocumentConventions? own = task.Conventions;
        task.Conventions = own ?? conventions;
        try
        {
            IndexDefinition definition = task.CreateIndexDefinition();
            return task is AbstractIndexCreationTaskBase known ? known.Completed(definition) : definition;
        }
        finally
        {
            task.Conventions = own;
        }
    }

    /// <summary>One object of each class of an assembly that defines an index and can be made without arguments.</summary>
    [RequiresUnreferencedCode("Classes that nothing else uses may be gone.")]
    public static IEnumerable<IAbstractIndexCreationTask> IndexesOf(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        return assembly.GetTypes()
            .Where(type => type.IsClass && !type.IsAbstract && !type.ContainsGenericParameters && typeof(IAbstractIndexCreationTask).IsAssignableFrom(type)
                && !type.IsDefined(typeof(SkipIndexCreationAttribute), inherit: true) && type.GetConstructor(Type.EmptyTypes) is not null)
            .OrderBy(type => type.FullName, StringComparer.Ordinal)
            .Select(type => (IAbstractIndexCreationTask)Activator.CreateInstance(type)!);
    }
}
