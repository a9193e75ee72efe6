//! Starts the language server of Selector Lens: the one in the `PATH`, or else the newest one of npm.

use zed_extension_api::{self as zed, LanguageServerId, Result};

const PACKAGE: &str = "selector-lens";
const SCRIPT: &str = "node_modules/selector-lens/dist/cli.js";

struct SelectorLens;

impl zed::Extension for SelectorLens {
    fn new() -> Self {
        SelectorLens
    }

    fn language_server_command(
        &mut self,
        _language_server_id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let arguments = ["lsp".to_string(), "--stdio".to_string()];
        if let Some(command) = worktree.which(PACKAGE) {
            return Ok(zed::Command {
                command,
                args: arguments.to_vec(),
                env: worktree.shell_env(),
            });
        }
        let latest = zed::npm_package_latest_version(PACKAGE)?;
        if zed::npm_package_installed_version(PACKAGE)?.as_ref() != Some(&latest) {
            zed::npm_install_package(PACKAGE, &latest)?;
        }
        let script = std::env::current_dir()
            .map_err(|error| error.to_string())?
            .join(SCRIPT);
        let mut args = vec![script.to_string_lossy().to_string()];
        args.extend(arguments);
        Ok(zed::Command {
            command: zed::node_binary_path()?,
            args,
            env: Default::default(),
        })
    }
}

zed::register_extension!(SelectorLens);
