//! Builds native/ into libpal. `zig build` makes the library of the host, `zig build all` those of every platform that
//! is shipped. Written for the pinned Zig (native/fetch-zig.sh): the build API differs between releases.
const std = @import("std");
const builtin = @import("builtin");

const Platform = struct {
    /// Name in .NET's terms: the folder below runtimes/.
    rid: []const u8,
    /// glibc 2.28 is the oldest one .NET 10 still runs on (RHEL 8); macOS 11 is the first with pwritev.
    triple: []const u8,
    arch: std.Target.Cpu.Arch,
    os: std.Target.Os.Tag,
};

/// What the C library needs to show more than ISO C. Not _GNU_SOURCE, which changes strerror_r: file_linux.c asks for
/// that itself.
const linux_flag = "-D_DEFAULT_SOURCE";
const macos_flag = "-D_DARWIN_C_SOURCE";

const platforms = [_]Platform{
    .{ .rid = "linux-x64", .triple = "x86_64-linux-gnu.2.28", .arch = .x86_64, .os = .linux },
    .{ .rid = "linux-arm64", .triple = "aarch64-linux-gnu.2.28", .arch = .aarch64, .os = .linux },
    .{ .rid = "osx-x64", .triple = "x86_64-macos.11.0", .arch = .x86_64, .os = .macos },
    .{ .rid = "osx-arm64", .triple = "aarch64-macos.11.0", .arch = .aarch64, .os = .macos },
};

const common_sources = [_][]const u8{
    "native/error.c",
    "native/write.c",
    "native/pages.c",
    "native/file_posix.c",
    "native/names_posix.c",
};
const linux_sources = [_][]const u8{
    "native/file_linux.c",
    "native/ring_linux.c",
    "native/ring_engine.c",
    "native/ring_test.c",
};
const macos_sources = [_][]const u8{ "native/file_macos.c", "native/ring_macos.c" };
const warning_flags = [_][]const u8{ "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-fPIC", "-fvisibility=hidden" };

pub fn build(b: *std.Build) void {
    const all = b.step("all", "Build libpal for every shipped platform");
    for (platforms) |platform| {
        const install = addLibrary(b, platform);
        all.dependOn(&install.step);
        if (platform.arch == builtin.cpu.arch and platform.os == builtin.os.tag) {
            b.getInstallStep().dependOn(&install.step);
        }
    }
}

fn addLibrary(b: *std.Build, platform: Platform) *std.Build.Step.InstallArtifact {
    const target = std.zig.CrossTarget.parse(.{ .arch_os_abi = platform.triple }) catch @panic("bad target");
    const library = b.addSharedLibrary(.{ .name = "pal", .target = target, .optimize = .ReleaseFast });
    library.linkLibC();
    const flags = b.allocator.create([warning_flags.len + 1][]const u8) catch @panic("out of memory");
    const is_macos = platform.os == .macos;
    flags.* = warning_flags ++ [_][]const u8{if (is_macos) macos_flag else linux_flag};
    const os_sources: []const []const u8 = if (is_macos) &macos_sources else &linux_sources;
    // glibc 2.28 has threads in a library of their own.
    if (!is_macos) library.linkSystemLibrary("pthread");
    library.addCSourceFiles(.{ .files = &common_sources, .flags = flags });
    library.addCSourceFiles(.{ .files = os_sources, .flags = flags });
    return b.addInstallArtifact(library, .{
        .dest_dir = .{ .override = .{ .custom = b.fmt("{s}/native", .{platform.rid}) } },
    });
}
