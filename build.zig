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
const windows_flags = [_][]const u8{"-D_FILE_OFFSET_BITS=64"};

const platforms = [_]Platform{
    .{ .rid = "linux-x64", .triple = "x86_64-linux-gnu.2.28", .arch = .x86_64, .os = .linux },
    .{ .rid = "linux-arm64", .triple = "aarch64-linux-gnu.2.28", .arch = .aarch64, .os = .linux },
    .{ .rid = "win-x64", .triple = "x86_64-windows-gnu", .arch = .x86_64, .os = .windows },
    .{ .rid = "osx-x64", .triple = "x86_64-macos.11.0", .arch = .x86_64, .os = .macos },
    .{ .rid = "osx-arm64", .triple = "aarch64-macos.11.0", .arch = .aarch64, .os = .macos },
};

const common_sources = [_][]const u8{ "native/error.c", "native/write.c", "native/pages.c" };
const posix_sources = common_sources ++ [_][]const u8{
    "native/error_posix.c",
    "native/file_posix.c",
    "native/names_posix.c",
    "native/mapped_posix.c",
};
const linux_sources = posix_sources ++ [_][]const u8{
    "native/file_linux.c",
    "native/ring_linux.c",
    "native/ring_engine.c",
    "native/ring_test.c",
};
const macos_sources = posix_sources ++ [_][]const u8{ "native/file_macos.c", "native/ring_none.c" };
const windows_sources = common_sources ++ [_][]const u8{
    "native/directory_win.c",
    "native/error_win.c",
    "native/file_win.c",
    "native/handle_win.c",
    "native/ioring_win.c",
    "native/ioring_win_loop.c",
    "native/memory_win.c",
    "native/names_win.c",
    "native/path_win.c",
    "native/ring_none.c",
    "native/write_win.c",
};
const warning_flags = [_][]const u8{ "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2" };
const posix_flags = warning_flags ++ [_][]const u8{ "-fPIC", "-fvisibility=hidden" };

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
    // glibc 2.28 has threads in a library of their own.
    if (platform.os == .linux) library.linkSystemLibrary("pthread");
    switch (platform.os) {
        .windows => library.addCSourceFiles(.{ .files = &windows_sources, .flags = &(warning_flags ++ windows_flags) }),
        .macos => library.addCSourceFiles(.{ .files = &macos_sources, .flags = &(posix_flags ++ .{macos_flag}) }),
        else => library.addCSourceFiles(.{ .files = &linux_sources, .flags = &(posix_flags ++ .{linux_flag}) }),
    }
    return b.addInstallArtifact(library, .{
        .dest_dir = .{ .override = .{ .custom = b.fmt("{s}/native", .{platform.rid}) } },
    });
}
