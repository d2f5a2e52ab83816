// Starts `burnside lsp` and `burnside dap`, and adds what the protocols have no word for: a terminal with the animator.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const LANGUAGES = ["b", "eventb", "z", "promela", "murphi"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const program = () => vscode.workspace.getConfiguration("burnside").get<string>("path", "burnside");
  const server: ServerOptions = { command: program(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    // The lens "animate" is offered only to editors that can open a terminal.
    initializationOptions: { animate: true },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{mch,ref,imp,sys,def,eventb,bumx,bucx,zed,pml,m}") },
    middleware: {
      // Checks from lenses get the limit of the settings.
      executeCommand: async (command, args, next) => {
        if (command === "burnside.check") {
          const maxTime = vscode.workspace.getConfiguration("burnside").get<number>("check.maxTime", 60);
          return next(command, [args[0], { max_time: maxTime, ...(args[1] ?? {}) }]);
        }
        return next(command, args);
      },
    },
  };
  client = new LanguageClient("burnside", "Burnside", server, options);

  const animate = (uri: vscode.Uri) => {
    const terminal = vscode.window.createTerminal({
      name: `animate ${vscode.workspace.asRelativePath(uri)}`,
      shellPath: program(),
      shellArgs: ["animate", uri.fsPath],
    });
    terminal.show();
  };
  const active = () => vscode.window.activeTextEditor?.document.uri;
  const onActive = (command: string) => async () => {
    const uri = active();
    if (uri) await vscode.commands.executeCommand(command, uri.toString());
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("burnside.animate", (uri: string) => animate(vscode.Uri.parse(uri))),
    vscode.commands.registerCommand("burnside.animateActive", onActive("burnside.animate")),
    vscode.commands.registerCommand("burnside.checkActive", onActive("burnside.check")),
    vscode.commands.registerCommand("burnside.stopActive", onActive("burnside.stop")),
    vscode.debug.registerDebugAdapterDescriptorFactory("burnside", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(program(), ["dap"]),
    }),
    // Without a launch configuration the model in the editor is debugged.
    vscode.debug.registerDebugConfigurationProvider("burnside", {
      resolveDebugConfiguration: (_folder, given) => {
        if (given.type) return given;
        const uri = active();
        return uri && { type: "burnside", request: "launch", name: "Animate", program: uri.fsPath };
      },
    }),
    client,
  );
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(`burnside cannot be started (setting burnside.path): ${String(error)}`);
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
