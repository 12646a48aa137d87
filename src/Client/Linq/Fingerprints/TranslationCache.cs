using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using BitFaster.Caching.Lru;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq.Fingerprints;

/// <summary>Caches the translations of a store by the shapes of their trees, so that a query that a program runs again with other values is not
/// translated again. Safe for concurrent use.</summary>
internal sealed class TranslationCache(TranslationContext context)
{
    /// <summary>Number of cached shapes. A program has one for each place that sends a query; each takes some KB.</summary>
    private const int ShapesMax = 1000;

    /// <summary>Number of translations of one shape, for values that make different texts: null, captured flags.</summary>
    private const int VariantsMax = 4;

    private static readonly ConditionalWeakTable<DocumentSerializer, TranslationCache> s_caches = [];

    private readonly ConcurrentLru<FingerprintKey, CachedTranslation[]> _kept = new(ShapesMax);
    private long _translations;

    /// <summary>How many queries were translated.</summary>
    public long Translations => Interlocked.Read(ref _translations);

    /// <summary>The cache of a store. While conventions may still change, it is a cache that stores nothing.</summary>
    public static TranslationCache Of(DocumentConventions conventions, DocumentSerializer serializer) =>
        s_caches.TryGetValue(serializer, out TranslationCache? known) ? known
        : Make(conventions, serializer);

    /// <inheritdoc cref="LinqTranslator.Translate"/>
    /// <exception cref="QueryTranslationException">The query cannot be translated.</exception>
    public TranslatedQuery Translate(Expression query, Terminal terminal)
    {
        if (TreeFingerprint.Of(query, terminal) is not { } shape)
        {
            Interlocked.Increment(ref _translations);
            return LinqTranslator.Translate(query, context, terminal);
        }

        CachedTranslation[] variants = _kept.TryGet(shape.Key, out CachedTranslation[]? known) ? known : [];
        foreach (CachedTranslation variant in variants)
        {
            if (variant.TryApply(shape.Nodes, context) is { } translated)
            {
                return translated;
            }
        }

        return TranslateAndKeep(query, terminal, shape, variants);
    }

    private static TranslationCache Make(DocumentConventions conventions, DocumentSerializer serializer)
    {
        var made = new TranslationCache(new TranslationContext(conventions, serializer));
        return conventions.IsFrozen ? s_caches.GetValue(serializer, _ => made) : made;
    }

    private TranslatedQuery TranslateAndKeep(Expression query, Terminal terminal, TreeFingerprint shape, CachedTranslation[] variants)
    {
        Interlocked.Increment(ref _translations);
        var reads = new CapturedReads();
        TranslatedQuery translated;
        using (reads.Begin())
        {
            translated = LinqTranslator.Translate(query, context, terminal);
        }

        if (CachedTranslation.TryMake(translated, reads, shape.Nodes) is { } kept)
        {
            _kept.AddOrUpdate(shape.Key, [kept, .. variants.Take(VariantsMax - 1)]);
        }

        return translated;
    }
}
