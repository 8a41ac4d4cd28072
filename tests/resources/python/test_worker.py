# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python worker as a process: its stream, its errors, its end, and what it says where something is missing."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import support
from workerclient import SILENCE, WORKER, ErrorReply, WorkerClient

PYTHON = support.require_torch_worker()
UNAVAILABLE, FAILED, INVALID = -32001, -32002, -32003
MATMUL = {"operation": "matmul", "dims": [64, 64, 64], "seed": 1, "implementation": "pytorch-cpu"}
ENDLESS = {"handle": 1, "warmup": 0, "iterations": 2_000_000_000}


class WorkerTest(unittest.TestCase):
    def start(self, **options):
        client = WorkerClient(**{"python": PYTHON, "stderr": subprocess.PIPE, **options})
        self.addCleanup(client.__exit__)
        client.wait_until(lambda: client.hello)
        return client

    def refused(self, client, method, params, code, text):
        with self.assertRaises(ErrorReply) as raised:
            client.call(method, params)
        self.assertEqual(raised.exception.code, code)
        self.assertIn(text, raised.exception.reason)
        return raised.exception

    def stub(self, **modules):
        """An environment in which these modules are what the given texts say."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for name, text in modules.items():
            with open(os.path.join(folder, name + ".py"), "w", encoding="utf-8") as stream:
                stream.write(text)
        return {**os.environ, "PYTHONPATH": folder}


class Stream(WorkerTest):
    def test_hello_comes_first_and_names_the_worker(self):
        client = self.start()
        self.assertEqual((client.hello["worker"], client.hello["protocol"]), ("python", 1))
        self.assertEqual(client.logs, [])  # nothing was imported for it

    def test_a_banner_before_hello_is_no_matter(self):
        command = ["sh", "-c", 'echo Last login: today; printf \'no line end\'; exec "$0" "$1"', PYTHON, WORKER]
        client = self.start(command=command)
        self.assertEqual(client.banner[:2], [b"Last login: today\n", b"no line end\n"])
        self.assertEqual(client.call("describe")["worker"], "python")

    def test_what_a_library_prints_goes_to_standard_error(self):
        text = "import os, sys; print('chatter', flush=True); os.system('echo child'); raise ImportError('libx')"
        client = self.start(environment=self.stub(torch=text))
        self.assertEqual(client.call("describe")["worker"], "python")
        client.call("shutdown")
        client.wait_for_end()
        said = client.process.stderr.read()
        self.assertIn(b"chatter", said)
        self.assertIn(b"child", said)

    def test_bad_requests_are_answered(self):
        client = self.start()
        client.send_bytes(b"what?\n")
        reply = client.next_reply()
        self.assertEqual((reply["id"], reply["error"]["code"]), (None, -32700))
        client.send_bytes(b'{"jsonrpc":"2.0","id":"seven","method":[]}\n')
        reply = client.next_reply()
        self.assertEqual((reply["id"], reply["error"]["code"]), ("seven", -32600))
        error = self.refused(client, "explain", {}, -32601, 'no method "explain"')
        self.assertEqual(error.message, "method not found")
        self.refused(client, "prepare", {"operation": "gelu"}, -32602, "dims: is missing")
        self.refused(client, "measure", {**ENDLESS, "iterations": 0}, -32602, "iterations: is 0")
        self.refused(client, "check", {"handle": 3}, INVALID, "handle 3 is not prepared")
        self.refused(client, "compile", {}, UNAVAILABLE, "compiles no stages")
        client.notify("hurry")  # an unknown notification is never answered
        self.assertEqual(client.call("shutdown"), {})
        self.assertEqual(client.wait_for_end(), 0)

    def test_what_cannot_be_prepared_says_why(self):
        client = self.start()
        self.refused(client, "prepare", {**MATMUL, "operation": "sort"}, INVALID, 'no operation is named "sort"')
        self.refused(client, "prepare", {**MATMUL, "dims": [1, 2]}, INVALID, "takes 3 dimensions")
        self.refused(client, "prepare", {**MATMUL, "dims": [0, 1, 1]}, INVALID, "m is 0")
        self.refused(client, "prepare", {**MATMUL, "implementation": "cublas"}, UNAVAILABLE, '"cublas"')
        self.refused(client, "prepare", {**MATMUL, "implementation": "pytorch"}, UNAVAILABLE, "without CUDA")
        self.refused(client, "prepare", {**MATMUL, "stage": "matmul/tiled"}, INVALID, "has no stages")
        error = self.refused(client, "prepare", {**MATMUL, "directory": "/nowhere"}, INVALID, "input.json: cannot be")
        self.assertIn("correct the file that is named", error.fix)
        self.refused(client, "prepare", {**MATMUL, "sha256": {"a.bin": "00"}}, INVALID, "but 00 was asked for")
        huge = self.refused(client, "prepare", {**MATMUL, "dims": [1 << 24, 1 << 24, 1]}, FAILED, "memory")
        self.assertEqual(huge.fix, "choose smaller dims")
        self.assertEqual(client.prepare("matmul", [1, 1, 1], "pytorch-cpu")["handle"], 1)

    def test_a_released_handle_is_gone(self):
        client = self.start()
        client.call("prepare", MATMUL)
        self.assertEqual(client.call("release", {"handle": 1}), {})
        self.refused(client, "release", {"handle": 1}, INVALID, "handle 1 is not prepared")
        self.refused(client, "measure", ENDLESS, INVALID, "handle 1 is not prepared")


class Measuring(WorkerTest):
    def test_samples_come_in_order_while_they_are_taken(self):
        client = self.start()
        client.call("prepare", MATMUL)
        result = client.call("measure", {"handle": 1, "warmup": 1, "iterations": 5000})
        self.assertEqual(result, {"count": 5000, "cancelled": False})
        self.assertEqual(len(client.samples()), 5000)
        self.assertTrue(all(us > 0 for us in client.samples()))
        self.assertGreater(len(client.batches), 1)
        first = 0
        for batch in client.batches:
            self.assertEqual((batch["handle"], batch["first"]), (1, first))
            first += len(batch["us"])

    def test_cancel_ends_a_measure_and_nothing_else(self):
        client = self.start()
        client.call("prepare", MATMUL)
        request = client.send("measure", ENDLESS)
        client.wait_until(lambda: client.batches)
        client.notify("cancel")
        result = client.result(request)
        self.assertTrue(result["cancelled"])
        self.assertEqual(result["count"], len(client.samples()))
        self.assertFalse(client.call("measure", {**ENDLESS, "iterations": 3})["cancelled"])

    def test_a_request_that_waits_is_cancelled_too(self):
        client = self.start()
        client.call("prepare", MATMUL)
        first, second = client.send("measure", ENDLESS), client.send("measure", ENDLESS)
        client.wait_until(lambda: client.batches)
        client.notify("cancel")
        self.assertTrue(client.result(first)["cancelled"])
        self.assertEqual(client.result(second), {"count": 0, "cancelled": True})

    def test_the_cpu_has_no_kernel_records(self):
        client = self.start()
        client.call("prepare", MATMUL)
        error = self.refused(client, "capture", {**ENDLESS, "iterations": 1}, UNAVAILABLE, "no kernel records")
        self.assertIn("spans are measured", error.fix)
        error = self.refused(client, "counters", ENDLESS, UNAVAILABLE, "computed on the CPU")
        self.assertIn("needs a GPU", error.fix)


class Descriptors(WorkerTest):
    def test_ends_that_do_not_wait_are_waited_for(self):
        source, sink = os.pipe()
        os.set_blocking(source, False)
        worker = subprocess.Popen([PYTHON, WORKER], stdin=source, stdout=subprocess.PIPE)
        os.close(source)
        while b'"hello"' not in worker.stdout.readline():
            pass
        os.write(sink, b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}\n')
        self.assertIn(b'"result":{}', worker.stdout.read())
        self.assertEqual(worker.wait(SILENCE), 0)
        worker.stdout.close()
        os.close(sink)


class End(WorkerTest):
    def ended(self, client):
        """The exit status, once every process that the worker had started is gone too and holds standard error."""
        client.wait_for_end()
        client.process.stderr.read()
        return client.process.wait(SILENCE)

    def test_at_the_end_of_input(self):
        client = self.start()
        client.close_input()
        self.assertEqual(self.ended(client), 0)

    def test_in_the_middle_of_a_measure(self):
        client = self.start()
        client.call("prepare", MATMUL)
        client.send("measure", ENDLESS)
        client.wait_until(lambda: client.batches)
        client.close_input()
        self.assertEqual(self.ended(client), 0)

    def test_while_a_library_holds_the_interpreters_lock(self):
        stuck = "import ctypes, os; os.write(2, b'loading'); ctypes.PyDLL(None).sleep(3600)"
        client = self.start(environment=self.stub(torch=stuck))
        client.send("describe")
        self.assertEqual(client.process.stderr.read(7), b"loading")
        client.close_input()
        self.assertEqual(self.ended(client), -signal.SIGKILL)

    def test_when_nobody_reads(self):
        source, sink = os.pipe()
        worker = subprocess.Popen([PYTHON, WORKER], stdin=subprocess.PIPE, stdout=sink)
        os.close(sink)
        for number, (method, params) in enumerate((("prepare", MATMUL), ("measure", ENDLESS))):
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            worker.stdin.write(json.dumps(request).encode() + b"\n")
        worker.stdin.flush()
        with os.fdopen(source, "rb") as stream:
            while b'"samples"' not in stream.readline():
                pass
        self.assertEqual(worker.wait(SILENCE), 0)
        worker.stdin.close()

    def test_an_interrupt_is_the_programs_business(self):
        client = self.start()
        client.process.send_signal(signal.SIGINT)
        self.assertEqual(client.call("describe")["worker"], "python")

    def test_a_python_that_is_too_old_says_so(self):
        script = "import sys; sys.version_info = (3, 8, 0); exec(open(sys.argv[1]).read())"
        run = subprocess.run([PYTHON, "-c", script, WORKER], capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (1, b""))
        self.assertIn(b"Python 3.9 or newer is needed, this is 3.8", run.stderr)


class Missing(WorkerTest):
    def described(self, **options):
        description = self.start(**options).call("describe")
        libraries = {library["name"]: library for library in description["libraries"]}
        return description, libraries, {each["id"]: each for each in description["implementations"]}

    def test_without_a_gpu(self):
        description, libraries, implementations = self.described(environment=self.stub(triton="raise ImportError('x')"))
        self.assertEqual(description["devices"], [])
        self.assertEqual(description["self_test"], {"passed": True})
        self.assertFalse(description["capture"]["available"])
        self.assertEqual(description["capture"]["reason"], "the CPU has no kernel records")
        self.assertTrue(libraries["PyTorch"]["available"])
        self.assertTrue(libraries["PyTorch"]["version"])
        self.assertTrue(implementations["pytorch-cpu"]["available"])
        self.assertEqual(implementations["pytorch-cpu"]["timing_source"], "host")
        for name in ("pytorch", "pytorch-compile", "triton", "triton-tuned"):
            self.assertFalse(implementations[name]["available"], name)
            self.assertTrue(implementations[name]["reason"], name)
            self.assertTrue(implementations[name]["fix"], name)
            self.assertEqual(len(implementations[name]["operations"]), 5)

    def test_without_pytorch(self):
        description, libraries, implementations = self.described(arguments=["-I", "-S"])
        name = os.path.basename(PYTHON)
        self.assertEqual(libraries["PyTorch"]["reason"], f"PyTorch is not installed in this Python ({name})")
        self.assertEqual(libraries["PyTorch"]["fix"], f"{name} -m pip install torch")
        self.assertEqual(libraries["Triton"]["fix"], f"{name} -m pip install triton")
        self.assertTrue(libraries["Python"]["available"])
        for each in implementations.values():
            self.assertEqual((each["available"], each["fix"]), (False, f"{name} -m pip install torch"))
        self.assertFalse(description["self_test"]["passed"])
        self.assertIn("not installed", description["self_test"]["reason"])

    def test_without_triton(self):
        lacking = "raise ModuleNotFoundError(\"No module named 'triton'\", name='triton')"
        _, libraries, implementations = self.described(environment=self.stub(triton=lacking))
        self.assertIn("Triton is not installed", libraries["Triton"]["reason"])
        self.assertIn("Triton is not installed", implementations["triton"]["reason"])
        self.assertTrue(implementations["pytorch-cpu"]["available"])

    def test_a_pytorch_that_breaks_on_import(self):
        for text, word in (
            ("raise OSError('libcudart.so.12: cannot open shared object file')", "OSError: libcudart.so.12"),
            ("import a_module_that_is_missing", "No module named 'a_module_that_is_missing'"),
            ("import sys; sys.exit(3)", "SystemExit: 3"),
        ):
            with self.subTest(text=text):
                _, libraries, implementations = self.described(environment=self.stub(torch=text))
                self.assertIn("PyTorch cannot be imported: ", libraries["PyTorch"]["reason"])
                self.assertIn(word, libraries["PyTorch"]["reason"])
                self.assertIn("--force-reinstall", libraries["PyTorch"]["fix"])
                self.assertFalse(implementations["pytorch-cpu"]["available"])

    def test_a_driver_that_is_too_old(self):
        text = (
            "import runpy, sys, torch\n"
            "def init(): raise RuntimeError('The NVIDIA driver on your system is too old (found version 11040).')\n"
            "torch.version.cuda, torch.cuda.init = '13.0', init\n"
            "runpy.run_path(sys.argv[1], run_name='__main__')\n"
        )
        description, libraries, implementations = self.described(command=[PYTHON, "-c", text, WORKER])
        reason = implementations["pytorch"]["reason"]
        self.assertIn("PyTorch (CUDA 13.0) cannot use a GPU", reason)
        self.assertIn("too old (found version 11040)", reason)
        self.assertIn("update the NVIDIA driver", implementations["pytorch"]["fix"])
        self.assertEqual(libraries["CUDA of PyTorch"]["reason"], reason)
        self.assertEqual(description["capture"]["reason"], "the CPU has no kernel records")
        self.assertIn(reason, description["capture"]["fix"])
        self.assertTrue(implementations["pytorch-cpu"]["available"])

    def test_nothing_names_a_folder_in_a_reason(self):
        description, _, _ = self.described(arguments=["-I", "-S"])
        for part in description["libraries"] + description["implementations"]:
            self.assertNotIn("/", json.dumps([part.get("reason", ""), part.get("fix", "")]))


class Installed(WorkerTest):
    def test_the_launcher_starts_the_interpreter_that_it_is_given(self):
        launcher = os.environ.get("STAGECRAFT_WORKER_PYTHON")
        if not launcher:
            self.skipTest("STAGECRAFT_WORKER_PYTHON does not name the built launcher")
        client = self.start(command=[launcher, PYTHON])
        self.assertEqual(client.call("describe")["libraries"][0]["path"], PYTHON)


if __name__ == "__main__":
    sys.path.insert(0, support.PYTHON_FOLDER)
    support.main()
