using Jackdaw.Client.Sessions;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Jackdaw.Client.AspNetCore;

/// <summary>Stores and sessions as services.</summary>
public static class JackdawServiceCollectionExtensions
{
    /// <summary>Adds a store, as <see cref="IDocumentStore"/>, and sessions of each scope, as <see cref="IAsyncDocumentSession"/> and
    /// <see cref="IDocumentSession"/>.</summary>
    /// <param name="configuration">A section with <c>Urls</c>, <c>Database</c>, and optionally <c>RequestTimeout</c>,
    /// <c>CertificateFile</c> and the other settings of <see cref="JackdawOptions"/>. It is checked when the host
    /// starts.</param>
    /// <remarks>The store is initialized when it is first requested, and the host disposes it. A session is opened when it is first requested in
    /// its scope.</remarks>
    public static IServiceCollection AddJackdaw(this IServiceCollection services, IConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        return Add(services, null, options => OptionsSection.Read(configuration, options));
    }

    /// <inheritdoc cref="AddJackdaw(IServiceCollection, IConfiguration)"/>
    /// <param name="configure">Sets the options. Checked when the host starts.</param>
    public static IServiceCollection AddJackdaw(this IServiceCollection services, Action<JackdawOptions> configure) => Add(services, null, configure);

    /// <summary>Adds a store and its sessions as services with a key, in addition to those without a key or with another one.</summary>
    /// <param name="key">Key of the services.</param>
    /// <param name="configuration">A section as for the store without a key.</param>
    public static IServiceCollection AddJackdaw(this IServiceCollection services, string key, IConfiguration configuration)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        ArgumentNullException.ThrowIfNull(configuration);
        return Add(services, key, options => OptionsSection.Read(configuration, options));
    }

    /// <inheritdoc cref="AddJackdaw(IServiceCollection, string, IConfiguration)"/>
    /// <param name="configure">Sets the options. Checked when the host starts.</param>
    public static IServiceCollection AddJackdaw(this IServiceCollection services, string key, Action<JackdawOptions> configure)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        return Add(services, key, configure);
    }

    private static IServiceCollection Add(IServiceCollection services, string? key, Action<JackdawOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        services.AddOptions<JackdawOptions>(key ?? Options.DefaultName).Configure(configure).ValidateOnStart();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<JackdawOptions>, OptionsValidation>());
        services.AddSingleton<IHostedService>(provider => new StoreCreation(
            () => key is null ? provider.GetRequiredService<IDocumentStore>() : provider.GetRequiredKeyedService<IDocumentStore>(key),
            () => OptionsOf(provider, key ?? Options.DefaultName)));
        if (key is null)
        {
            services.TryAddSingleton<IDocumentStore>(provider => Open(provider, Options.DefaultName));
            services.TryAddScoped(provider => provider.GetRequiredService<IDocumentStore>().OpenAsyncSession());
            services.TryAddScoped(provider => provider.GetRequiredService<IDocumentStore>().OpenSession());
        }
        else
        {
            services.TryAddKeyedSingleton<IDocumentStore>(key, (provider, _) => Open(provider, key));
            services.TryAddKeyedScoped(key, (provider, _) => provider.GetRequiredKeyedService<IDocumentStore>(key).OpenAsyncSession());
            services.TryAddKeyedScoped(key, (provider, _) => provider.GetRequiredKeyedService<IDocumentStore>(key).OpenSession());
        }

        return services;
    }

    private static JackdawOptions OptionsOf(IServiceProvider provider, string name) =>
        provider.GetRequiredService<IOptionsMonitor<JackdawOptions>>().Get(name);

    private static DocumentStore Open(IServiceProvider provider, string name)
    {
        JackdawOptions options = OptionsOf(provider, name);
        var store = new DocumentStore(options.Urls, options.Database)
        {
            MessageHandler = options.MessageHandler,
            CertificateFile = options.CertificateFile,
            CertificatePassword = options.CertificatePassword,
            TrustedAuthoritiesFile = options.TrustedAuthoritiesFile,
            Certificate = options.Certificate,
            LoggerFactory = provider.GetService<ILoggerFactory>(),
            Time = provider.GetService<TimeProvider>() ?? TimeProvider.System,
        };
        store.Conventions.RequestTimeout = options.RequestTimeout;
        options.ConventionChanges?.Invoke(store.Conventions);
        return store.Initialize();
    }
}
