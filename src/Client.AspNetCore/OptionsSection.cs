using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Jackdaw.Client.AspNetCore;

/// <summary>Reads options from a section of the configuration, without reflection. A name that is not an option is an error, which lists the
/// options there are.</summary>
internal static class OptionsSection
{
    private static readonly string[] s_names =
    [
        nameof(JackdawOptions.Urls), nameof(JackdawOptions.Database), nameof(JackdawOptions.RequestTimeout),
        nameof(JackdawOptions.ConnectionString), nameof(JackdawOptions.CreateDatabase), nameof(JackdawOptions.CertificateFile),
        nameof(JackdawOptions.CertificatePassword), nameof(JackdawOptions.TrustedAuthoritiesFile),
    ];

    public static void Read(IConfiguration configuration, JackdawOptions options)
    {
        options.Section = (configuration as IConfigurationSection)?.Path;
        foreach (IConfigurationSection setting in configuration.GetChildren())
        {
            switch (s_names.FirstOrDefault(name => name.Equals(setting.Key, StringComparison.OrdinalIgnoreCase)))
            {
                case nameof(JackdawOptions.Urls):
                    options.Urls = UrlsOf(setting);
                    break;
                case nameof(JackdawOptions.Database):
                    options.Database = setting.Value;
                    break;
                case nameof(JackdawOptions.ConnectionString):
                    options.ConnectionString = setting.Value;
                    break;
                case nameof(JackdawOptions.CertificateFile):
                    options.CertificateFile = setting.Value;
                    break;
                case nameof(JackdawOptions.CertificatePassword):
                    options.CertificatePassword = setting.Value;
                    break;
                case nameof(JackdawOptions.TrustedAuthoritiesFile):
                    options.TrustedAuthoritiesFile = setting.Value;
                    break;
                case nameof(JackdawOptions.CreateDatabase) when bool.TryParse(setting.Value, out bool creates):
                    options.CreateDatabase = creates;
                    break;
                case nameof(JackdawOptions.CreateDatabase):
                    options.Problems.Add($"{setting.Path} is '{setting.Value}': write true or false.");
                    break;
                case nameof(JackdawOptions.RequestTimeout) when TimeSpan.TryParse(setting.Value, CultureInfo.InvariantCulture, out TimeSpan timeout):
                    options.RequestTimeout = timeout;
                    break;
                case nameof(JackdawOptions.RequestTimeout):
                    options.Problems.Add($"{setting.Path} is '{setting.Value}', which is not a time: write hours:minutes:seconds, such as 00:00:30.");
                    break;
                default:
                    options.Problems.Add($"{setting.Path} is not a setting of a store. The settings are {string.Join(", ", s_names)}.");
                    break;
            }
        }
    }

    // A list, or one text with semicolons, as it comes from environment variables.
    private static string[] UrlsOf(IConfigurationSection urls) => urls.Value is { } text
        ? text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
        : [.. urls.GetChildren().Select(url => url.Value ?? "")];
}
