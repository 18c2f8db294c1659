"""Selects the device of every peer: CL_DEVICE, else the first GPU, else the first device."""

import os

import pyopencl as cl


def choose_device():
    wanted = os.environ.get("CL_DEVICE", "").lower()
    found = [
        device
        for platform in cl.get_platforms()
        for device in platform.get_devices()
        if wanted in f"{platform.name} {device.name}".lower()
    ]
    gpus = [device for device in found if device.type & cl.device_type.GPU]
    return (gpus or found)[0]
