using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Jackdaw.Client.AspNetCore;

/// <summary>Options from a section of the configuration. Read by hand: without reflection, and a name that is no option is told, with those that are.</summary>
internal static class OptionsSection
{
    private static readonly string[] s_names = [nameof(JackdawOptions.Urls), nameof(JackdawOptions.Database), nameof(JackdawOptions.RequestTimeout)];

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
                case nameof(JackdawOptions.RequestTimeout) when TimeSpan.TryParse(setting.Value, CultureInfo.InvariantCulture, out TimeSpan timeout):
                    options.RequestTimeout = timeout;
                    break;
                case nameof(JackdawOptions.RequestTimeout):
                    options.Problems.Add($"{setting.Path} is '{setting.Value}', which is no time: write hours:minutes:seconds, as 00:00:30.");
                    break;
                default:
                    options.Problems.Add($"{setting.Path} is no setting of a store: these are {string.Join(", ", s_names)}.");
                    break;
            }
        }
    }

    // A list, or one text with semicolons, as environment variables have it.
    private static string[] UrlsOf(IConfigurationSection urls) => urls.Value is { } text
        ? text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
        : [.. urls.GetChildren().Select(url => url.Value ?? "")];
}
