// Tells something in passing, as it is: what a sentence names may come from a transcript.

import * as vscode from "vscode";
import { withoutIcons, withoutLinks } from "./plainText";

/** @returns the button that was chosen */
export function inform(sentence: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(withoutLinks(sentence), ...buttons);
}

/** @returns the button that was chosen */
export function complain(sentence: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(withoutLinks(sentence), ...buttons);
}

/** What is asked before something is done. */
export interface Question {
  message: string;
  detail: string;
  yes: string;
  isWarning?: boolean;
}

/** Asks in a dialog that has to be answered. */
export async function isAgreed({ message, detail, yes, isWarning }: Question): Promise<boolean> {
  const ask = isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  return (await ask(withoutLinks(message), { modal: true, detail }, yes)) === yes;
}

/** Says in the status bar for a while. */
export function sayBriefly(sentence: string, milliseconds: number): void {
  vscode.window.setStatusBarMessage(withoutIcons(sentence), milliseconds);
}
