# The emulator, as an image:
#   docker build -t backbeat .
#   docker run --rm -p 8080:8080 backbeat --fault 'status=503 rate=0.1'
FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
    cmake g++ libboost-json1.81-dev libboost-url1.81-dev libboost1.81-dev libcli11-dev libfmt-dev libssl-dev make
COPY . /src
RUN cmake -S /src -B /build -DCMAKE_BUILD_TYPE=Release -DBACKBEAT_BUILD_TESTS=OFF \
    && cmake --build /build --parallel "$(nproc)" --target backbeat

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
    libboost-json1.81.0 libboost-url1.81.0 libfmt9 libssl3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /build/backbeat /usr/local/bin/backbeat
USER nobody
EXPOSE 8080
ENTRYPOINT ["backbeat", "emulator", "--host", "0.0.0.0", "--port", "8080"]
