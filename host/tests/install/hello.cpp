// SPDX-License-Identifier: Apache-2.0
// hello BACKEND - a program of a user in C++: every public header, a model by itself, the answer to a command.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <tma.h>
#include <tma_backend_rtl.h>
#include <tma_model.h>
#include <tma_print.h>
#include <tma_tables.h>

namespace
{

void check(int64_t error)
{
	if (error < 0)
		throw std::runtime_error(tma_last_error());
}

std::string hello(const char *backend)
{
	tma_options options{};
	tma_device *opened = nullptr;
	tma_queue *queue = nullptr;
	tma_command command;
	tma_record record;

	options.size = sizeof(options);
	options.backend = backend;
	options.config = "small";
	check(tma_open(&options, &opened));
	std::unique_ptr<tma_device, decltype(&tma_close)> device(opened, tma_close);
	check(tma_queue_open(device.get(), 0, nullptr, &queue));
	tma_signal(&command, 42);
	check(tma_submit(queue, &command));
	check(tma_wait(queue, &record, 100000));
	return std::string(tma_kind_name(record.kind)) + " " + std::to_string(record.tag);
}

} // namespace

int main(int argc, char **argv)
{
	// The model by itself, as a simulator of a GPU has it.
	const struct tma_model_config shape {
	};
	std::unique_ptr<tma_model, decltype(&tma_model_free)> model(tma_model_new(&shape), tma_model_free);

	if (!model || tma_model_config(model.get())->ctas != 4)
		return EXIT_FAILURE;
	try {
		std::cout << hello(argc > 1 ? argv[1] : nullptr) << "\n";
	} catch (const std::exception &error) {
		std::cerr << "hello: " << error.what() << "\n";
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
